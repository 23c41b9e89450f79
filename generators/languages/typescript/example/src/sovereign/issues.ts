/**
 * Issue multiplicity and detail parity: issues are compared as a multimap, by the whole of their
 * details.
 */

import { canonicalText, SOVEREIGN } from "../canon/canonical.js";
import { sha256 } from "../digest.js";
import { compareCodePoints } from "../json/order.js";
import { member, memberText, NULL, type JsonObject, type JsonValue } from "../json/value.js";
import type { Breaches } from "./breach.js";
import { TURN_LAW } from "./contracts.js";
import type { StageOrder } from "./ordering.js";
import type { Mismatch } from "./report.js";
import { isCanonicalSurface } from "./surfaces.js";

const PLACE = "/issues";

/** Stands for a side without any issue in a bucket. */
const MISSING = '[{"_missing":true}]';

export interface Issue {
  readonly stage: string;
  readonly location: string;
  /** Issues of one stage, location, code and details meet in one bucket. */
  readonly bucket: string;
  /** Canonical text without the message. */
  readonly text: string;
  readonly digest: string;
}

export function takeIssues(
  turn: JsonObject,
  found: Breaches,
  stages: StageOrder,
): Issue[] | undefined {
  const issues = member(turn, "issues");
  if (issues?.kind !== "array") {
    found.shape(TURN_LAW, PLACE, "a turn result has an array `issues`");
    return undefined;
  }
  const taken: Issue[] = [];
  for (const [index, item] of issues.items.entries()) {
    if (found.isOverLimit) {
      return undefined;
    }
    const before = found.count;
    judgeIssue(item, `${PLACE}/${index}`, found, stages);
    if (found.count === before) {
      taken.push(takeIssue(item));
    }
  }
  return taken;
}

function judgeIssue(item: JsonValue, place: string, found: Breaches, stages: StageOrder): void {
  found.scan(item, place, ({ pointer }) => isCanonicalSurface(pointer));
  if (item.kind !== "object") {
    found.shape(TURN_LAW, place, "an issue is an object");
    return;
  }
  const stage = memberText(item, "stage");
  if (stage === undefined || !stages.has(stage)) {
    found.shape(TURN_LAW, `${place}/stage`, "the stage is one of the stage order");
  }
  for (const name of ["location", "code"].filter((text) => memberText(item, text) === undefined)) {
    found.shape(TURN_LAW, `${place}/${name}`, `the ${name} is a string`);
  }
  if (member(item, "details")?.kind !== "object") {
    found.shape(TURN_LAW, `${place}/details`, "details are an object");
  }
}

/** Takes an issue apart that nothing was found against. */
function takeIssue(item: JsonValue): Issue {
  const [stage = "", location = "", code = ""] = ["stage", "location", "code"].map((name) =>
    memberText(item, name),
  );
  const details = canonicalText(member(item, "details") ?? NULL, SOVEREIGN);
  const text = canonicalText(withoutMessage(item), SOVEREIGN);
  const bucket = JSON.stringify([stage, location, code, details]);
  return { stage, location, bucket, text, digest: sha256(text) };
}

/** Safe boundary: the message never matters. */
function withoutMessage(item: JsonValue): JsonValue {
  return item.kind === "object"
    ? { kind: "object", members: item.members.filter(({ name }) => name !== "message") }
    : item;
}

export function compareIssues(
  turnId: string,
  a: readonly Issue[],
  b: readonly Issue[],
): Mismatch[] {
  const [bucketsA, bucketsB] = [buckets(a), buckets(b)];
  const names = new Set([...bucketsA.keys(), ...bucketsB.keys()]);
  return [...names].flatMap((name) =>
    compareBuckets(turnId, bucketsA.get(name) ?? [], bucketsB.get(name) ?? []),
  );
}

/** Issues by bucket, in the order of their digests. */
function buckets(issues: readonly Issue[]): Map<string, Issue[]> {
  const found = new Map<string, Issue[]>();
  for (const issue of issues.toSorted((x, y) => compareCodePoints(x.digest, y.digest))) {
    const bucket = found.get(issue.bucket) ?? [];
    found.set(issue.bucket, bucket);
    bucket.push(issue);
  }
  return found;
}

/**
 * Counts that differ give one row with the digests of both lists; else what is left over on each
 * side is paired.
 */
function compareBuckets(turnId: string, a: readonly Issue[], b: readonly Issue[]): Mismatch[] {
  const [first] = [...a, ...b];
  if (first === undefined) {
    return [];
  }
  const row = (stageName: string, expected: string, actual: string): Mismatch => ({
    turnId,
    stageName,
    ordinal: "0",
    surface: "issue",
    path: first.location,
    expected,
    actual,
    reason: "E_REPLAY_EQUIVALENCE_FAILED",
    diagnostic: null,
  });
  if (a.length !== b.length) {
    return [row("replay", listDigest(a), listDigest(b))];
  }
  const [leftA, leftB] = [leftOver(a, b), leftOver(b, a)];
  return leftA.map((digest, index) => row(first.stage, digest, leftB[index] ?? ""));
}

function listDigest(issues: readonly Issue[]): string {
  return sha256(issues.length === 0 ? MISSING : `[${issues.map(({ text }) => text).join(",")}]`);
}

/** Digests of the issues that the other side has no equal of, with multiplicity. */
function leftOver(issues: readonly Issue[], others: readonly Issue[]): string[] {
  const unmatched = new Map<string, number>();
  for (const { digest } of others) {
    unmatched.set(digest, (unmatched.get(digest) ?? 0) + 1);
  }
  return issues
    .map(({ digest }) => digest)
    .filter((digest) => {
      const count = unmatched.get(digest) ?? 0;
      unmatched.set(digest, count - 1);
      return count <= 0;
    });
}
