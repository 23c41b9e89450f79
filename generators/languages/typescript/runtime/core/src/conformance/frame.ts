/** Frames of the testee protocol, ATP/1: one JSON object a line, in either direction. */

import { createHash } from "node:crypto";

import { parseNode } from "./json.js";

export const PROTOCOL = 1;

/** Bytes of a line, until the harness states its own limit. */
export const DEFAULT_LINE = 8 * 1024 * 1024;

export type Frame = Readonly<Record<string, unknown>>;

/** What came is not a frame. Nothing after it can be trusted, so the session ends. */
export class BadFrame extends Error {
  override readonly name = "BadFrame";
}

/** Unlike its default, this decoder keeps a byte order mark and refuses what is not UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Puts the bytes of a stream together to lines; the limit may change between two of them. */
export class Lines {
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(readonly limit: () => number) {}

  /** The lines that a chunk completes, without their line feeds. */
  *take(chunk: Buffer): Generator<Buffer> {
    let rest = chunk;
    for (;;) {
      const end = rest.indexOf(0x0a);
      this.#keep(end < 0 ? rest : rest.subarray(0, end));
      if (this.#length > this.limit()) {
        throw new BadFrame(`a line of more than ${this.limit()} bytes`);
      }
      if (end < 0) {
        return;
      }
      yield this.#line();
      rest = rest.subarray(end + 1);
    }
  }

  /** True if the stream may end here. */
  get isBetweenLines(): boolean {
    return this.#length === 0;
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  #line(): Buffer {
    const line = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    return line;
  }
}

export function parseFrame(line: Uint8Array): { readonly frame: Frame; readonly text: string } {
  try {
    const text = utf8.decode(line);
    return { frame: asObject(JSON.parse(text), "the line"), text };
  } catch (error) {
    const start = Buffer.from(line.subarray(0, 80)).toString("latin1");
    throw new BadFrame(`${String(error)}: ${JSON.stringify(start)}`);
  }
}

/**
 * The JSON text of an inner member as it stands in its line: `JSON.parse` has lost how its numbers
 * were spelled.
 */
export function memberText(lineText: string, outer: string, name: string): string | undefined {
  const line = parseNode(lineText, 2);
  const holder = line.kind === "object" ? line.members.get(outer) : undefined;
  const value = holder?.kind === "object" ? holder.members.get(name) : undefined;
  return value && lineText.slice(value.start, value.end);
}

export function asObject(value: unknown, what: string): Frame {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BadFrame(`${what} is not an object`);
  }
  return value as Frame;
}

export function textMember(frame: Frame, name: string): string {
  const value = frame[name];
  if (typeof value !== "string") {
    throw new BadFrame(`${JSON.stringify(name)} is missing or no string`);
  }
  return value;
}

export function integerMember(frame: Frame, name: string): number {
  const value = frame[name];
  if (!Number.isSafeInteger(value)) {
    throw new BadFrame(`${JSON.stringify(name)} is missing or no integer`);
  }
  return value as number;
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** The receipt of a session: how many answers were given, and a digest over them in their order. */
export class Receipt {
  served = 0;
  chain = "0".repeat(64);

  count(id: string, verdict: string): void {
    this.served += 1;
    this.chain = sha256(`${this.chain}\n${id}\n${verdict}`);
  }
}
