/** What no canonical surface may hold, with every place at which it stands. */

import { pointerToken } from "../json/reader.js";
import { isBannedNumber, type JsonObject, type JsonValue } from "../json/value.js";

export interface Banned {
  readonly kind: "number" | "lone-surrogate" | "repeated-name";
  readonly pointer: string;
  readonly message: string;
}

/** Most places that the breaches of one document name. */
export const MOST_FINDINGS = 1000;

/** Everything at or below a value that has no canonical form, where it matters, up to the limit. */
export function findBanned(
  value: JsonValue,
  pointer: string,
  matters: (banned: Banned) => boolean,
): Banned[] {
  const found: Banned[] = [];
  for (const banned of allBanned(value, pointer)) {
    if (found.length === MOST_FINDINGS) {
      break;
    }
    if (matters(banned)) {
      found.push(banned);
    }
  }
  return found;
}

/** Names of one object that are used twice or more. */
export function* findRepeated(object: JsonObject, pointer: string): Generator<Banned> {
  const counts = new Map<string, number>();
  for (const { name } of object.members) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count === 2) {
      yield {
        kind: "repeated-name",
        pointer: pointer + pointerToken(name),
        message: "a repeated member name",
      };
    }
  }
}

/** True for the first place that holds NaN or an infinity and is one of those asked for. */
export function hasConstant(
  value: JsonValue,
  pointer: string,
  where: (pointer: string) => boolean,
): boolean {
  switch (value.kind) {
    case "number":
      return /[Ny]$/.test(value.token) && where(pointer);
    case "array":
      return value.items.some((item, index) =>
        hasConstant(item, pointer + pointerToken(index), where),
      );
    case "object":
      return value.members.some(({ name, value: inner }) =>
        hasConstant(inner, pointer + pointerToken(name), where),
      );
    default:
      return false;
  }
}

/** Recursion is bounded by the dialect's limit of 256 levels. */
function* allBanned(value: JsonValue, pointer: string): Generator<Banned> {
  switch (value.kind) {
    case "number":
      if (isBannedNumber(value.token)) {
        yield {
          kind: "number",
          pointer,
          message: `the number ${value.token}: write an integer or a string`,
        };
      }
      break;
    case "string":
      if (!value.value.isWellFormed()) {
        yield { kind: "lone-surrogate", pointer, message: "a lone surrogate" };
      }
      break;
    case "array":
      for (const [index, item] of value.items.entries()) {
        yield* allBanned(item, pointer + pointerToken(index));
      }
      break;
    case "object":
      yield* findRepeated(value, pointer);
      for (const { name, value: inner } of value.members) {
        const place = pointer + pointerToken(name);
        if (!name.isWellFormed()) {
          yield {
            kind: "lone-surrogate",
            pointer: place,
            message: "a lone surrogate in a member name",
          };
        }
        yield* allBanned(inner, place);
      }
      break;
  }
}
