/** A number as it was spelled: `-0`, `1.0` and `9007199254740993` stay what they are. */
export interface JsonNumber {
  readonly kind: "number";
  readonly token: string;
}

export interface JsonString {
  readonly kind: "string";
  /** Decoded; may hold lone surrogates. */
  readonly value: string;
}

export interface JsonArray {
  readonly kind: "array";
  readonly items: readonly JsonValue[];
}

export interface Member {
  readonly name: string;
  readonly value: JsonValue;
}

export interface JsonObject {
  readonly kind: "object";
  /** In the order of the text, repeated names included. */
  readonly members: readonly Member[];
}

export type JsonValue =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | JsonNumber
  | JsonString
  | JsonArray
  | JsonObject;

export const NULL: JsonValue = { kind: "null" };

export function text(value: string): JsonString {
  return { kind: "string", value };
}

export function array(items: readonly JsonValue[]): JsonArray {
  return { kind: "array", items };
}

export function object(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return {
    kind: "object",
    members: Object.entries(members).map(([name, value]) => ({ name, value })),
  };
}

/** The member of that name; of repeated ones the last. */
export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value?.kind === "object"
    ? value.members.findLast((candidate) => candidate.name === name)?.value
    : undefined;
}

export function memberText(value: JsonValue | undefined, name: string): string | undefined {
  const found = member(value, name);
  return found?.kind === "string" ? found.value : undefined;
}

/**
 * True for a token that no canonical surface may hold: a fraction, an exponent, `-0`, NaN or an
 * infinity.
 */
export function isBannedNumber(token: string): boolean {
  return token === "-0" || !/^-?[0-9]+$/.test(token);
}
