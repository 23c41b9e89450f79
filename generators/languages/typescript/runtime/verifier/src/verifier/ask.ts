/** From a call to a frame, and from a frame to a result. Nothing is decided here. */

import { jsonText, JsonText, type Json } from "../conformance/answer.js";
import { parseNode, type JsonNode } from "../conformance/json.js";
import { answer, base64Bytes } from "./core.js";
import { AssizeError, FaultError, LimitError, QuestionError, UnsupportedError } from "./errors.js";

/** Exact bytes, or a text that stands for its UTF-8. */
export type Content = Uint8Array | string;

/**
 * A folder, or a link and where it leads: a path from the folder that it lies in. It is followed
 * within the tree where an operation follows links; without `to` it leads nowhere.
 */
export interface Other {
  readonly kind: "directory" | "symlink";
  readonly to?: string | undefined;
}

/** Files by path, with `/` between names; the folders of what lies in them need not be named. */
export type FileTree = Readonly<Record<string, Content | Other>>;

/** What an operation changed of its files: bytes, a new folder, or null for what is gone. */
export type Changes = Readonly<Record<string, Uint8Array | Other | null>>;

export interface Accepted<Out> {
  readonly is: "accept";
  readonly out: Out;
  readonly files: Changes;
}

/** The verifier refuses: a judgement, which what is thrown never is. */
export interface Rejected<Out> {
  readonly is: "reject";
  readonly codes: readonly string[];
  readonly out: Partial<Out>;
  readonly files: Changes;
}

/** An output: its name on the wire, its name here, and its kind. */
export type Form = readonly [wire: string, property: string, kind: "bytes" | "doc" | "value"];

export interface Call {
  readonly op: string;
  readonly args: Readonly<Record<string, Json | undefined>>;
  readonly docs: Readonly<Record<string, Content | undefined>>;
  readonly files?: FileTree | undefined;
  readonly accepted: readonly Form[];
  readonly rejected: readonly Form[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Containers around an output, and as many more as anything that the core takes may have inside. */
const WRAPPERS = 1024;

/** Systems that a replay result may name, by what Node calls them. */
const PLATFORMS: Readonly<Record<string, string>> = {
  darwin: "macos",
  linux: "linux",
  win32: "windows",
};

const { process: running } = globalThis as unknown as {
  readonly process?: { readonly platform?: string };
};

export function ask<Result>(call: Call): Result {
  const { line, parts } = frame(call);
  return result(call, members(read(answer([encoder.encode(`${line}\n`), ...parts])))) as Result;
}

function read(said: Uint8Array): JsonNode {
  try {
    return parseNode(decoder.decode(said), WRAPPERS);
  } catch (error) {
    throw new FaultError(`the core's answer cannot be read: ${String(error)}`, { cause: error });
  }
}

function frame({ op, args, docs, files }: Call): { line: string; parts: Uint8Array[] } {
  const parts: Uint8Array[] = [];
  let at = 0;
  const put = (what: string, content: Content): Json => {
    const bytes = typeof content === "string" ? encoded(what, content) : content;
    parts.push(bytes);
    at += bytes.length;
    return { at: at - bytes.length, len: bytes.length };
  };
  const given: Record<string, Json> = {};
  for (const [name, value] of Object.entries(args)) {
    if (value !== undefined) {
      given[name] = new JsonText(oneLine(name, value));
    }
  }
  const documents: Record<string, Json> = {};
  for (const [name, content] of Object.entries(docs)) {
    if (content !== undefined) {
      documents[name] = put(name, content);
    }
  }
  const platform = PLATFORMS[running?.platform ?? ""];
  const question = {
    op,
    args: given,
    in: documents,
    ...(platform === undefined ? {} : { platform }),
    ...(files === undefined ? {} : { files: tree(files, put) }),
  };
  try {
    return { line: jsonText(question), parts };
  } catch (error) {
    throw error instanceof AssizeError ? error : new QuestionError(String(error), { cause: error });
  }
}

/** An argument as one JSON value in one line: a text that is kept might hold anything, and the frame ends at a line feed. */
function oneLine(name: string, value: Json): string {
  try {
    const text = jsonText(value);
    JSON.parse(text);
    return text.replaceAll("\n", " ");
  } catch (error) {
    throw new QuestionError(`${name} is no JSON value: ${String(error)}`, { cause: error });
  }
}

function tree(files: FileTree, put: (what: string, content: Content) => Json): Json {
  const entries = Object.entries(files).map(([path, entry]): [string, Json] => {
    const isContent = typeof entry === "string" || entry instanceof Uint8Array;
    return [path, isContent ? put(path, entry) : other(entry)];
  });
  return Object.fromEntries(entries);
}

function other({ kind, to }: Other): Json {
  return to === undefined ? { kind } : { kind, to };
}

/** An encoder would write U+FFFD for a lone surrogate, and other bytes would be judged. */
function encoded(what: string, text: string): Uint8Array {
  if (!text.isWellFormed()) {
    throw new QuestionError(`${what} holds a lone surrogate, which has no UTF-8 form`);
  }
  return encoder.encode(text);
}

function result(call: Call, said: ReadonlyMap<string, JsonNode>): unknown {
  const word = (name: string): string => text(said.get(name));
  switch (word("t")) {
    case "error":
      throw refused(word("kind"), word("message"));
    case "unsupported":
      throw new UnsupportedError(`the core does not answer ${word("feature")}`);
    case "fault":
      throw new FaultError(`${word("kind")}: ${word("message")}`);
  }
  const files = changes(said.get("files"));
  const out = said.get("out");
  if (word("is") === "accept") {
    return { is: "accept", out: outputs(out, call.accepted), files };
  }
  const codes = said.get("codes");
  const listed = codes?.kind === "array" ? codes.items.map(text) : [];
  return { is: "reject", codes: listed, out: outputs(out, call.rejected), files };
}

function refused(kind: string, message: string): AssizeError {
  return kind === "size" || kind === "depth"
    ? new LimitError(kind, message)
    : new QuestionError(message);
}

function outputs(out: JsonNode | undefined, forms: readonly Form[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const said = out === undefined ? undefined : members(out);
  for (const [wire, property, kind] of forms) {
    const node = said?.get(wire);
    if (node !== undefined) {
      found[property] = kind === "bytes" ? base64Bytes(text(node)) : value(node);
    }
  }
  return found;
}

function changes(files: JsonNode | undefined): Changes {
  const entries = files === undefined ? [] : [...members(files)];
  // Not by assignment, which a file of the name `__proto__` would be lost by.
  return Object.fromEntries(entries.map(([path, entry]) => [path, change(entry)]));
}

function change(entry: JsonNode): Uint8Array | Other | null {
  if (entry.kind === "null") {
    return null;
  }
  const b64 = members(entry).get("b64");
  return b64 === undefined ? { kind: "directory" } : base64Bytes(text(b64));
}

function members(node: JsonNode): ReadonlyMap<string, JsonNode> {
  if (node.kind !== "object") {
    throw new FaultError(`the core said ${node.kind} where an object stands`);
  }
  return node.members;
}

function text(node: JsonNode | undefined): string {
  if (node?.kind !== "string") {
    throw new FaultError(`the core said ${node?.kind ?? "nothing"} where a text stands`);
  }
  return node.value;
}

/** Numbers that a double does not hold are bigints, or stay the text of their token. */
function value(node: JsonNode): Json {
  switch (node.kind) {
    case "null":
      return null;
    case "boolean":
    case "string":
      return node.value;
    case "number":
      return number(node.token);
    case "array":
      return node.items.map(value);
    case "object":
      return Object.fromEntries([...node.members].map(([name, inner]) => [name, value(inner)]));
  }
}

function number(token: string): Json {
  const double = Number(token);
  if (/^-?[1-9][0-9]*$/.test(token)) {
    return Number.isSafeInteger(double) ? double : BigInt(token);
  }
  return String(double) === token ? double : new JsonText(token);
}
