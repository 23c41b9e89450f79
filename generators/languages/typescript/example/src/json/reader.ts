import { NULL, type JsonValue, type Member } from "./value.js";

/**
 * What counts as JSON, and how deep it may be nested. Every dialect is strict UTF-8 without a byte
 * order mark.
 */
export interface Dialect {
  /** `NaN`, `Infinity` and `-Infinity` are read as number tokens. */
  readonly constants: boolean;
  /** Containers that may be open at once. */
  readonly depth: number;
}

export const STRICT: Dialect = { constants: false, depth: 256 };
/** Reads the three constants too: numbers without a canonical form. */
export const LAW: Dialect = { constants: true, depth: 256 };
/** What Python's `json` reads before its recursion limit stops it. */
export const AUTHORITY: Dialect = { constants: true, depth: 994 };

/** Bytes that a document may have, in any dialect. */
const MOST_BYTES = 512 * 1024 * 1024;

/** The document is not JSON in its dialect, or exceeds a limit. */
export class JsonError extends Error {
  override readonly name = "JsonError";

  constructor(
    message: string,
    readonly isLimit: boolean,
  ) {
    super(message);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function parseJson(bytes: Uint8Array, dialect: Dialect): JsonValue {
  if (bytes.length > MOST_BYTES) {
    throw new JsonError(`larger than ${MOST_BYTES} bytes`, true);
  }
  let source: string;
  try {
    source = utf8.decode(bytes);
  } catch {
    throw new JsonError("not UTF-8", false);
  }
  return new Reader(source, dialect).document();
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const CONSTANT = /NaN|-?Infinity/y;
const WORD = /true|false|null/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))/y;
const SHORT: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Reader {
  #at = 0;
  /** Containers that are open: the dialect's depth bounds recursion. */
  #depth = 0;

  constructor(
    readonly source: string,
    readonly dialect: Dialect,
  ) {}

  document(): JsonValue {
    const value = this.#value();
    if (this.#peek() !== undefined) {
      throw this.#error("something follows the document");
    }
    return value;
  }

  #error(message: string, isLimit = false): JsonError {
    return new JsonError(`${message} at character ${this.#at}`, isLimit);
  }

  #peek(): string | undefined {
    for (;;) {
      const character = this.source[this.#at];
      if (character !== " " && character !== "\n" && character !== "\r" && character !== "\t") {
        return character;
      }
      this.#at += 1;
    }
  }

  #take(expected: string): void {
    if (this.#peek() !== expected) {
      throw this.#error(`no ${expected}`);
    }
    this.#at += 1;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.source);
    if (match === null) {
      return undefined;
    }
    this.#at += match[0].length;
    return match;
  }

  #value(): JsonValue {
    switch (this.#peek()) {
      case "{":
        return this.#nested(() => this.#object());
      case "[":
        return this.#nested(() => this.#array());
      case '"':
        return { kind: "string", value: this.#string() };
      default:
        return this.#scalar();
    }
  }

  #nested(read: () => JsonValue): JsonValue {
    if (this.#depth === this.dialect.depth) {
      throw this.#error(`nested deeper than ${this.dialect.depth} levels`, true);
    }
    this.#depth += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(): JsonValue {
    this.#take("{");
    const members: Member[] = [];
    while (this.#peek() !== "}") {
      if (members.length > 0) {
        this.#take(",");
        this.#peek();
      }
      const name = this.#string();
      this.#take(":");
      members.push({ name, value: this.#value() });
    }
    this.#at += 1;
    return { kind: "object", members };
  }

  #array(): JsonValue {
    this.#take("[");
    const items: JsonValue[] = [];
    while (this.#peek() !== "]") {
      if (items.length > 0) {
        this.#take(",");
      }
      items.push(this.#value());
    }
    this.#at += 1;
    return { kind: "array", items };
  }

  #string(): string {
    if (this.source[this.#at] !== '"') {
      throw this.#error("no string");
    }
    this.#at += 1;
    let decoded = "";
    for (;;) {
      decoded += this.#match(PLAIN)?.[0] ?? "";
      const next = this.source[this.#at];
      if (next === '"') {
        this.#at += 1;
        return decoded;
      }
      const escape = next === "\\" ? this.#match(ESCAPE) : undefined;
      if (escape === undefined) {
        throw this.#error(next === undefined ? "a string without end" : "no character of a string");
      }
      const [, short, hex] = escape;
      decoded +=
        short === undefined
          ? String.fromCharCode(Number.parseInt(hex ?? "", 16))
          : (SHORT[short] ?? short);
    }
  }

  #scalar(): JsonValue {
    const number = (this.dialect.constants && this.#match(CONSTANT)) || this.#match(NUMBER);
    if (number) {
      return { kind: "number", token: number[0] };
    }
    const word = this.#match(WORD)?.[0];
    if (word === undefined) {
      throw this.#error("no value");
    }
    return word === "null" ? NULL : { kind: "boolean", value: word === "true" };
  }
}
