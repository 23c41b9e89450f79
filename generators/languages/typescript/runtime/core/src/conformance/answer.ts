/** Answers: what an implementation returns, and how it is written down to be judged or sent. */

/** JSON text that has to keep its spelling, where a number would be printed anew. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A value that has a JSON form. Integers beyond 2^53 are bigints. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonText
  | readonly Json[]
  | { readonly [name: string]: Json };

export type NoOutputs = Readonly<Record<never, never>>;

/** The implementation accepts. */
export interface Accept<Out = NoOutputs> {
  readonly is: "accept";
  readonly out: Out;
}

/** The implementation refuses: a judgement, which an exception never is. */
export interface Reject<Out = NoOutputs> {
  readonly is: "reject";
  readonly codes: readonly string[];
  readonly out?: Out;
}

/** The implementation has no such thing. Only for what was not declared. */
export interface Unsupported {
  readonly is: "unsupported";
  readonly feature: string;
}

export type Answer<Accepted = NoOutputs, Rejected = NoOutputs> =
  Accept<Accepted> | Reject<Rejected> | Unsupported;

export function accept<Out>(out: Out): Accept<Out> {
  return { is: "accept", out };
}

export function reject(...codes: readonly string[]): Reject {
  return { is: "reject", codes };
}

/** Writes a value as JSON; throws where it has no JSON form. */
export function jsonText(value: Json): string {
  if (value instanceof JsonText) {
    return value.text;
  }
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
      if (!Number.isFinite(value)) {
        throw new TypeError(`${value} has no JSON form`);
      }
      return String(value);
    case "bigint":
    case "boolean":
      return String(value);
    case "object":
      return containerText(value);
    default:
      throw new TypeError(`a value of type ${typeof value} has no JSON form`);
  }
}

function containerText(value: null | readonly Json[] | { readonly [name: string]: Json }): string {
  if (value === null) {
    return "null";
  }
  if (isArray(value)) {
    return `[${value.map(jsonText).join(",")}]`;
  }
  const members = Object.entries(value).map(
    ([name, inner]) => `${quoted(name)}:${jsonText(inner)}`,
  );
  return `{${members.join(",")}}`;
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

/** `JSON.stringify` would hide a lone surrogate, which has no UTF-8 form, behind an escape. */
function quoted(text: string): string {
  if (!text.isWellFormed()) {
    throw new TypeError(`${JSON.stringify(text)} holds a lone surrogate, which has no UTF-8 form`);
  }
  return JSON.stringify(text);
}
