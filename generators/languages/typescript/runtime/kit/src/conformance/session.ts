/** The testee's side of ATP/1: one session over two streams. */

import type { Readable } from "node:stream";

import { ask, described } from "./ask.js";
import { jsonText, JsonText, type Json } from "./answer.js";
import { undeclared, type Capabilities, type Declared } from "./declaration.js";
import {
  memberText,
  asObject,
  BadFrame,
  DEFAULT_LINE,
  integerMember,
  Lines,
  parseFrame,
  PROTOCOL,
  Receipt,
  sha256,
  textMember,
  type Frame,
} from "./frame.js";
import type { Implementation } from "./interface.js";
import { operations } from "./operations.js";
import type { Outcome, Output } from "./outcome.js";
import { Question } from "./question.js";

/** Exit code after a line that has no place in the protocol. */
const BAD_INPUT = 3;

/** Questions that the harness may send ahead. They are answered in their order. */
const IN_FLIGHT = 8;

/** Who answers, as the certificate names it. */
export interface Identity {
  readonly name: string;
  readonly version: string;
}

/** A document did not arrive as it was sent, which says nothing about the implementation. */
class ReceiptFault extends Error {
  override readonly name = "ReceiptFault";
}

export class Session {
  readonly #receipt = new Receipt();
  #limit = DEFAULT_LINE;
  #greeted = false;

  constructor(
    readonly identity: Identity,
    readonly declared: Declared,
    readonly capabilities: Capabilities,
    readonly implementation: Implementation,
    readonly send: (line: string) => void,
  ) {}

  /** Serves until goodbye or the end of the input; the result is the exit code of the process. */
  async run(input: Readable): Promise<number> {
    const lines = new Lines(() => this.#limit);
    try {
      for await (const chunk of input) {
        for (const line of lines.take(chunk as Buffer)) {
          if (await this.#step(line)) {
            return 0;
          }
        }
      }
      if (!lines.isBetweenLines) {
        throw new BadFrame("a line without its line feed");
      }
      return 0;
    } catch (error) {
      if (error instanceof BadFrame) {
        console.error(`shim: ${error.message}`);
        return BAD_INPUT;
      }
      throw error;
    }
  }

  /** Does what one line asks; true when it was the last one. */
  async #step(line: Buffer): Promise<boolean> {
    const { frame, text } = parseFrame(line);
    const kind = textMember(frame, "t");
    if (kind === "hello" && !this.#greeted) {
      return this.#hello(frame);
    }
    if (!this.#greeted) {
      throw new BadFrame(`a frame ${JSON.stringify(kind)} before hello`);
    }
    switch (kind) {
      case "case":
        await this.#case(frame, text);
        return false;
      case "ping":
        this.#write({ t: "pong", n: integerMember(frame, "n") });
        return false;
      case "bye":
        this.#write({ t: "bye", served: this.#receipt.served, chain: this.#receipt.chain });
        return true;
      default:
        throw new BadFrame(`a frame ${JSON.stringify(kind)} that has no place here`);
    }
  }

  /** Picks a version and says what can be asked, or refuses; true when it refuses. */
  #hello(frame: Frame): boolean {
    const [from, to] = Array.isArray(frame["proto"]) ? (frame["proto"] as unknown[]) : [];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) {
      throw new BadFrame('"proto" is not a range of versions');
    }
    if (Number(from) > PROTOCOL || Number(to) < PROTOCOL) {
      this.#write({ t: "refuse", why: "proto", supported: [PROTOCOL] });
      return true;
    }
    const { line } = asObject(frame["limits"] ?? {}, '"limits"');
    this.#limit = Number.isSafeInteger(line) ? Number(line) : DEFAULT_LINE;
    this.#greeted = true;
    this.#write({
      t: "hello",
      proto: PROTOCOL,
      testee: { ...this.identity, lang: "typescript" },
      shim: { name: "assize-typescript", version: "1" },
      ops: this.declared,
      ...(Object.keys(this.capabilities).length > 0 ? { capabilities: this.capabilities } : {}),
      in_flight: IN_FLIGHT,
    });
    return false;
  }

  async #case(frame: Frame, text: string): Promise<void> {
    const id = textMember(frame, "id");
    let docs: Record<string, Buffer>;
    try {
      docs = unpacked(asObject(frame["in"], '"in"'));
    } catch (error) {
      if (!(error instanceof ReceiptFault)) {
        throw error;
      }
      this.#write({ t: "fault", id, kind: "receipt", message: error.message });
      return;
    }
    const args = { ...asObject(frame["args"], '"args"') };
    const op = textMember(frame, "op");
    for (const name of operations[op]?.anyArgs ?? []) {
      args[name] = memberText(text, "args", name);
    }
    const feature = undeclared(this.declared, op, args);
    if (feature !== undefined) {
      this.#write({ t: "unsupported", id, feature });
      return;
    }
    const root = typeof frame["root"] === "string" ? frame["root"] : undefined;
    const outcome = await ask(this.implementation, new Question(op, args, docs, root));
    this.#reply(id, docs, outcome);
  }

  #reply(id: string, docs: Readonly<Record<string, Buffer>>, outcome: Outcome): void {
    switch (outcome.is) {
      case "unsupported":
        this.#write({ t: "unsupported", id, feature: outcome.feature });
        break;
      case "fault":
        this.#write(panic(id, outcome.message));
        break;
      default: {
        // Digests of the bytes that were judged, not copies of those in the question.
        const seen = Object.fromEntries(
          Object.entries(docs).map(([name, bytes]) => [name, sha256(bytes)]),
        );
        const out = Object.fromEntries(
          [...outcome.out].map(([name, output]) => [name, wire(output)]),
        );
        const { is, codes } = outcome;
        this.#answer(id, is, {
          t: "answer",
          id,
          seen,
          is,
          out,
          ...(is === "reject" ? { codes } : {}),
        });
      }
    }
  }

  #answer(id: string, verdict: string, frame: Readonly<Record<string, Json>>): void {
    let line: string;
    try {
      line = jsonText(frame);
    } catch (error) {
      this.#write(panic(id, `the answer has no JSON form: ${described(error)}`));
      return;
    }
    const length = Buffer.byteLength(line);
    if (length > this.#limit) {
      const message = `the answer has ${length} bytes, more than limits.line`;
      this.#write({ t: "fault", id, kind: "limit", message });
      return;
    }
    // Written before it is counted: a receipt is for what went out.
    this.send(line);
    this.#receipt.count(id, verdict);
  }

  #write(frame: Readonly<Record<string, Json>>): void {
    this.send(jsonText(frame));
  }
}

function panic(id: string, message: string): Readonly<Record<string, Json>> {
  // A message may quote a lone surrogate, which no frame can hold.
  return { t: "fault", id, kind: "panic", message: message.toWellFormed() };
}

function wire(output: Output): Json {
  switch (output.kind) {
    case "doc":
      return output.text;
    case "bytes":
      return Buffer.from(output.bytes).toString("base64");
    case "value":
    case "stray":
      return new JsonText(output.text);
  }
}

/** The documents of a case, if they are the ones that were sent. */
function unpacked(parcels: Frame): Record<string, Buffer> {
  const docs: Record<string, Buffer> = {};
  for (const [name, value] of Object.entries(parcels)) {
    const parcel = asObject(value, `in.${name}`);
    const [base64, stated] = [textMember(parcel, "b64"), textMember(parcel, "sha256")];
    const bytes = Buffer.from(base64, "base64");
    // Node's decoder skips what is not base64.
    if (bytes.toString("base64") !== base64) {
      throw new ReceiptFault(`in.${name}: b64 does not decode`);
    }
    const found = sha256(bytes);
    if (found !== stated) {
      throw new ReceiptFault(
        `in.${name}: the bytes have SHA-256 ${found}, not the stated ${stated}`,
      );
    }
    docs[name] = bytes;
  }
  return docs;
}
