/** Strict canonical parity: decision records are equal when their canonical bytes are. */

import { canonicalText, SOVEREIGN } from "../canon/canonical.js";
import { sha256 } from "../digest.js";
import { member, memberText, type JsonObject, type JsonValue } from "../json/value.js";
import { breaches } from "../shape.js";
import type { Breaches } from "./breach.js";
import { decisionRecord, TURN_LAW } from "./contracts.js";
import { ordinalToken } from "./ordering.js";
import type { Registry } from "./registry.js";
import type { Mismatch } from "./report.js";
import { isCanonicalSurface } from "./surfaces.js";

const PLACE = "/capabilities/decisions";
const RECORD_LAW = "sovereign/contract-decision-record";

export interface Decisions {
  /** Canonical records by the token of their ordinal. */
  readonly records: ReadonlyMap<string, string>;
  /** Ordinals that cannot be compared. */
  readonly unusable: ReadonlySet<string>;
}

export function takeDecisions(
  turn: JsonObject,
  found: Breaches,
  registry: Registry,
): Decisions | undefined {
  const capabilities = member(turn, "capabilities");
  if (capabilities?.kind !== "object") {
    found.shape(TURN_LAW, "/capabilities", "a turn result has an object `capabilities`");
    return undefined;
  }
  const decisions = member(capabilities, "decisions");
  if (decisions?.kind !== "array") {
    found.shape(TURN_LAW, PLACE, "capabilities have an array `decisions`");
    return undefined;
  }
  const records = new Map<string, string>();
  const unusable = new Set<string>();
  const seen = new Set<string>();
  for (const [index, record] of decisions.items.entries()) {
    if (found.isOverLimit) {
      return undefined;
    }
    const place = `${PLACE}/${index}`;
    const ordinal = ordinalToken(record);
    const isRepeated = ordinal !== undefined && seen.has(ordinal);
    if (isRepeated) {
      found.shape(
        "sovereign/single-emission",
        `${place}/ordinal`,
        "another record of this turn has this ordinal",
      );
    }
    const isLawful = judgeRecord(record, place, found, registry);
    if (ordinal === undefined) {
      continue;
    }
    seen.add(ordinal);
    if (isLawful && !isRepeated) {
      records.set(ordinal, canonicalText(record, SOVEREIGN));
    } else {
      unusable.add(ordinal);
    }
  }
  return { records, unusable };
}

/** The float ban, contract 3, and the registration of a denial's code. */
function judgeRecord(
  record: JsonValue,
  place: string,
  found: Breaches,
  registry: Registry,
): boolean {
  const before = found.count;
  found.scan(record, place, ({ pointer }) => isCanonicalSurface(pointer));
  const banned = found.pathsSince(before);
  for (const { pointer, message } of breaches(decisionRecord, record)) {
    // What has no canonical form is not also of the wrong shape.
    if (!banned.has(place + pointer)) {
      found.shape(RECORD_LAW, place + pointer, message);
    }
  }
  const code = memberText(record, "deny_code") ?? "";
  if (
    memberText(record, "outcome") === "denied" &&
    code.startsWith("E_") &&
    !registry.admitsDenial(code)
  ) {
    found.shape(RECORD_LAW, `${place}/deny_code`, `${code} is not registered for stage capability`);
  }
  return found.count === before;
}

/** Pairs records by ordinal; one on one side alone is a row with the other digest null. */
export function compareDecisions(turnId: string, a: Decisions, b: Decisions): Mismatch[] {
  const ordinals = new Set([...a.records.keys(), ...b.records.keys()]);
  return [...ordinals]
    .filter((ordinal) => !a.unusable.has(ordinal) && !b.unusable.has(ordinal))
    .map((ordinal) => ({
      ordinal,
      recordA: a.records.get(ordinal),
      recordB: b.records.get(ordinal),
    }))
    .filter(({ recordA, recordB }) => recordA !== recordB)
    .map(({ ordinal, recordA, recordB }) => ({
      turnId,
      stageName: "capability",
      ordinal,
      surface: "decision_record",
      path: `${PLACE}/${ordinal}`,
      expected: recordA === undefined ? null : sha256(recordA),
      actual: recordB === undefined ? null : sha256(recordB),
      reason: "E_REPLAY_EQUIVALENCE_FAILED",
      diagnostic: null,
    }));
}
