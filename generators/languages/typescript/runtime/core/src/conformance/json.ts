/**
 * Reads JSON as the judge needs it: with number tokens, not too deep, without repeated names or
 * lone surrogates.
 */

interface Extent {
  /** Where the value stands in its text. */
  readonly start: number;
  readonly end: number;
}

export type JsonNode = Extent &
  (
    | { readonly kind: "null" }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "number"; readonly token: string }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "array"; readonly items: readonly JsonNode[] }
    | { readonly kind: "object"; readonly members: ReadonlyMap<string, JsonNode> }
  );

type Bare<Node> = Node extends Extent ? Omit<Node, keyof Extent> : never;

/** Containers that may be open at once. */
const MOST_DEPTH = 128;

/** `wrappers` are containers around the values that matter; they do not count as depth. */
export function parseNode(text: string, wrappers = 0): JsonNode {
  const reader = new Reader(text);
  const node = reader.value(-wrappers);
  reader.end();
  return node;
}

/**
 * The canonical text, which two nodes share exactly if they are the same value: members in order of
 * their code points, no white space, shortest escapes, tokens as they stand.
 */
export function canonicalText(node: JsonNode): string {
  switch (node.kind) {
    case "null":
      return "null";
    case "boolean":
      return String(node.value);
    case "number":
      return node.token;
    case "string":
      return JSON.stringify(node.value);
    case "array":
      return `[${node.items.map(canonicalText).join(",")}]`;
    case "object": {
      const members = [...node.members].sort(([a], [b]) => compareCodePoints(a, b));
      const texts = members.map(
        ([name, value]) => `${JSON.stringify(name)}:${canonicalText(value)}`,
      );
      return `{${texts.join(",")}}`;
    }
  }
}

function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = codePointRank(a.charCodeAt(at)) - codePointRank(b.charCodeAt(at));
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
}

/** Units compare as code points do, but that surrogates stand for what is above all others. */
function codePointRank(unit: number): number {
  return 0xd800 <= unit && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

/** One container more. */
function deeper(depth: number): number {
  if (depth === MOST_DEPTH) {
    throw new SyntaxError(`nested deeper than ${MOST_DEPTH} levels`);
  }
  return depth + 1;
}

class Reader {
  #at = 0;

  constructor(readonly text: string) {}

  value(depth: number): JsonNode {
    this.#match(SPACE);
    const start = this.#at;
    const bare = this.#bare(depth);
    return { ...bare, start, end: this.#at };
  }

  end(): void {
    this.#match(SPACE);
    if (this.#at < this.text.length) {
      throw this.#error("nothing more");
    }
  }

  #error(expected: string): SyntaxError {
    return new SyntaxError(`no JSON: ${expected} was expected at character ${this.#at}`);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** Takes one character, spaces before it included. */
  #take(character: string): boolean {
    this.#match(SPACE);
    const found = this.text[this.#at] === character;
    this.#at += Number(found);
    return found;
  }

  #bare(depth: number): Bare<JsonNode> {
    if (this.#take("{")) {
      return { kind: "object", members: this.#members(deeper(depth)) };
    }
    if (this.#take("[")) {
      return { kind: "array", items: this.#items(deeper(depth)) };
    }
    if (this.text[this.#at] === '"') {
      return { kind: "string", value: this.#string() };
    }
    const word = this.#match(WORD);
    if (word !== undefined) {
      return word === "null" ? { kind: "null" } : { kind: "boolean", value: word === "true" };
    }
    const token = this.#match(NUMBER);
    if (token === undefined) {
      throw this.#error("a value");
    }
    return { kind: "number", token };
  }

  /** Looks for the closing quote only: `JSON.parse` knows what may stand before it. */
  #string(): string {
    const start = this.#at;
    let end = start;
    do {
      end = this.text.indexOf('"', end + 1);
    } while (this.#isEscaped(end));
    if (this.text[start] !== '"' || end < 0) {
      throw this.#error("a string");
    }
    this.#at = end + 1;
    const value = JSON.parse(this.text.slice(start, this.#at)) as string;
    if (!value.isWellFormed()) {
      throw new SyntaxError(`${JSON.stringify(value)} holds a lone surrogate`);
    }
    return value;
  }

  /** An odd number of backslashes stands before it. */
  #isEscaped(at: number): boolean {
    let first = at;
    while (this.text[first - 1] === "\\") {
      first -= 1;
    }
    return (at - first) % 2 === 1;
  }

  #members(depth: number): Map<string, JsonNode> {
    const members = new Map<string, JsonNode>();
    while (!this.#take("}")) {
      if (members.size > 0 && !this.#take(",")) {
        throw this.#error("a comma");
      }
      this.#match(SPACE);
      const name = this.#string();
      if (members.has(name)) {
        throw new SyntaxError(`the name ${JSON.stringify(name)} is repeated`);
      }
      if (!this.#take(":")) {
        throw this.#error("a colon");
      }
      members.set(name, this.value(depth));
    }
    return members;
  }

  #items(depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    while (!this.#take("]")) {
      if (items.length > 0 && !this.#take(",")) {
        throw this.#error("a comma");
      }
      items.push(this.value(depth));
    }
    return items;
  }
}
