import { canonicalText, NoCanonicalForm, SOVEREIGN } from "../canon/canonical.js";
import { compareCodePoints, compareIntegers } from "../json/order.js";
import { parseJson, STRICT } from "../json/reader.js";
import { isBannedNumber, member, memberText, type JsonValue } from "../json/value.js";
import { outsideDomain } from "../reject.js";
import { SEALED_STAGES } from "./sealed.js";
import { stringItems } from "./paths.js";

/** The stages by name, with their place in the order. */
type StageOrder = ReadonlyMap<string, number>;

/** Takes the given stage order, or the sealed one. */
function loadStages(text: Uint8Array | null): StageOrder {
  if (text === null) {
    return indexed(SEALED_STAGES);
  }
  const names = stringItems(member(parseJson(text, STRICT), "stage_order"));
  if (names === undefined) {
    throw outsideDomain("a stage order has an array of strings `stage_order`");
  }
  if (new Set(names).size < names.length) {
    throw outsideDomain("a stage is listed once");
  }
  return indexed(names);
}

function indexed(names: readonly string[]): StageOrder {
  return new Map(names.map((name, index) => [name, index]));
}

/** The members of a mismatch that decide its place in a report. */
interface OrderKey {
  readonly turnId: string;
  readonly stageName: string;
  /** An integer token: ordinals have any size. */
  readonly ordinal: string;
  readonly surface: string;
  readonly path: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

/**
 * Report ordering: turn, stage, ordinal, surface, path; ties by expected digest, then actual
 * digest, null first.
 */
function compareKeys(a: OrderKey, b: OrderKey, stages: StageOrder): number {
  const stage = (key: OrderKey): number => stages.get(key.stageName) ?? stages.size;
  return (
    compareCodePoints(a.turnId, b.turnId) ||
    stage(a) - stage(b) ||
    compareIntegers(a.ordinal, b.ordinal) ||
    compareCodePoints(a.surface, b.surface) ||
    compareCodePoints(a.path, b.path) ||
    compareDigests(a.expected, b.expected) ||
    compareDigests(a.actual, b.actual)
  );
}

function compareDigests(a: string | null, b: string | null): number {
  return a === null || b === null
    ? Number(a !== null) - Number(b !== null)
    : compareCodePoints(a, b);
}

/** Sorts mismatches and gives their canonical text. */
export function orderMismatches(mismatches: Uint8Array, stageOrder: Uint8Array | null): string {
  const stages = loadStages(stageOrder);
  const document = parseJson(mismatches, STRICT);
  if (document.kind !== "array") {
    throw outsideDomain("mismatches are an array");
  }
  const rows = document.items.map((item) => ({
    key: orderKey(item, stages),
    text: textOf(item),
  }));
  rows.sort((a, b) => compareKeys(a.key, b.key, stages));
  return `[${rows.map(({ text }) => text).join(",")}]`;
}

function orderKey(mismatch: JsonValue, stages: StageOrder): OrderKey {
  const key = {
    turnId: memberText(mismatch, "turn_id"),
    stageName: memberText(mismatch, "stage_name"),
    ordinal: ordinalToken(mismatch),
    surface: memberText(mismatch, "surface"),
    path: memberText(mismatch, "path"),
    expected: nullableText(mismatch, "expected_digest"),
    actual: nullableText(mismatch, "actual_digest"),
  };
  if (!isComplete(key) || !stages.has(key.stageName)) {
    throw outsideDomain("turn_id, stage_name, surface and path are strings, ordinal an integer");
  }
  return key;
}

type Partially<T> = { readonly [Name in keyof T]: T[Name] | undefined };

function isComplete(key: Partially<OrderKey>): key is OrderKey {
  return Object.values(key).every((value) => value !== undefined);
}

/** The token of a mismatch's ordinal, if it is an integer. */
function ordinalToken(value: JsonValue): string | undefined {
  const ordinal = member(value, "ordinal");
  return ordinal?.kind === "number" && !isBannedNumber(ordinal.token) ? ordinal.token : undefined;
}

/** A digest's text, null where it is null or absent, undefined where it is something else. */
function nullableText(value: JsonValue, name: string): string | null | undefined {
  const found = member(value, name);
  return found === undefined || found.kind === "null" ? null : memberText(value, name);
}

function textOf(mismatch: JsonValue): string {
  try {
    return canonicalText(mismatch, SOVEREIGN);
  } catch (error) {
    // Here the value is an argument of the operation and not a surface under judgement.
    throw error instanceof NoCanonicalForm ? outsideDomain(error.message) : error;
  }
}
