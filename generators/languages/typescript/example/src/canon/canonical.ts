import { sha256 } from "../digest.js";
import { compareCodePoints, compareUtf16Units } from "../json/order.js";
import { AUTHORITY, LAW, STRICT, type Dialect } from "../json/reader.js";
import type { JsonObject, JsonValue, Member } from "../json/value.js";
import { ecmascript, ecmascriptSafe, integersOnly, python, type NumberForm } from "./numbers.js";

/** Everything in which canonical forms differ. */
export interface Profile {
  readonly dialect: Dialect;
  readonly compareNames: (a: string, b: string) => number;
  readonly number: NumberForm;
  /**
   * What repeated names mean: no canonical form, or that the last one stands and the others never
   * were.
   */
  readonly repeats: "refused" | "last-wins";
}

export const SOVEREIGN: Profile = {
  dialect: LAW,
  compareNames: compareCodePoints,
  number: integersOnly,
  repeats: "refused",
};

/** RFC 8785. */
export const RFC_8785: Profile = {
  dialect: STRICT,
  compareNames: compareUtf16Units,
  number: ecmascript,
  repeats: "refused",
};

/** RFC 8785 without integers beyond 2^53-1. */
export const EPISODE: Profile = {
  dialect: STRICT,
  compareNames: compareUtf16Units,
  number: ecmascriptSafe,
  repeats: "refused",
};

/** What Python's `json.dumps` prints with sorted keys and compact separators. */
export const PYTHON: Profile = {
  dialect: AUTHORITY,
  compareNames: compareCodePoints,
  number: python,
  repeats: "last-wins",
};

/** A value was read, but has no canonical form in the profile. */
export class NoCanonicalForm extends Error {
  override readonly name = "NoCanonicalForm";
}

/** Canonical text: encode it as UTF-8 to have the canonical bytes. */
export function canonicalText(value: JsonValue, profile: Profile): string {
  const parts: string[] = [];
  append(value, profile, parts);
  return parts.join("");
}

/** SHA-256 of the canonical bytes. */
export function canonicalDigest(value: JsonValue, profile: Profile): string {
  return sha256(canonicalText(value, profile));
}

function append(value: JsonValue, profile: Profile, parts: string[]): void {
  switch (value.kind) {
    case "null":
      parts.push("null");
      break;
    case "boolean":
      parts.push(String(value.value));
      break;
    case "number":
      parts.push(numberText(value.token, profile));
      break;
    case "string":
      parts.push(quoted(value.value));
      break;
    case "array":
      parts.push("[");
      value.items.forEach((item, index) => {
        parts.push(index > 0 ? "," : "");
        append(item, profile, parts);
      });
      parts.push("]");
      break;
    case "object":
      parts.push("{");
      sortedMembers(value, profile).forEach(({ name, value: inner }, index) => {
        parts.push(index > 0 ? "," : "", quoted(name), ":");
        append(inner, profile, parts);
      });
      parts.push("}");
      break;
  }
}

function numberText(token: string, profile: Profile): string {
  const text = profile.number(token);
  if (text === undefined) {
    throw new NoCanonicalForm(`the number ${token}`);
  }
  return text;
}

function sortedMembers(object: JsonObject, profile: Profile): Member[] {
  const byName = new Map(object.members.map((member) => [member.name, member]));
  if (profile.repeats === "refused" && byName.size < object.members.length) {
    throw new NoCanonicalForm("a repeated member name");
  }
  return [...byName.values()].sort((a, b) => profile.compareNames(a.name, b.name));
}

/**
 * `JSON.stringify` escapes what canonical JSON escapes, in the same spelling, and lone surrogates
 * beside it.
 */
function quoted(text: string): string {
  if (!text.isWellFormed()) {
    throw new NoCanonicalForm("a lone surrogate");
  }
  return JSON.stringify(text);
}
