/** Compares two replay bundles under the law: whatever the input is, there is a report. */

import { NoCanonicalForm } from "../canon/canonical.js";
import { JsonError, pointerToken } from "../json/reader.js";
import type { JsonValue } from "../json/value.js";
import { Rejection } from "../reject.js";
import { bannedBreach, breachRows, type Breach, type Side } from "./breach.js";
import {
  absentMembers,
  bundleRunId,
  digestMember,
  readBundle,
  takeBundle,
  type Bundle,
  type Entry,
} from "./bundle.js";
import { compareDecisions } from "./decisions.js";
import type { Files } from "./files.js";
import { compareIssues } from "./issues.js";
import { loadStages, type StageOrder } from "./ordering.js";
import { firstReadable } from "./paths.js";
import { loadRegistry } from "./registry.js";
import { reportText, type Mismatch, type Reason } from "./report.js";
import { compareTransitions } from "./transition.js";
import { readTurn, takeTurn, type Context } from "./turn.js";

export interface Inputs {
  readonly bundleA: Uint8Array;
  readonly bundleB: Uint8Array;
  readonly registry: Uint8Array | null;
  readonly stageOrder: Uint8Array | null;
  readonly files: Files;
}

/** What a comparison has found so far. */
interface Found {
  readonly rows: readonly Mismatch[];
  readonly breaches: readonly Breach[];
}

export function compareBundles(inputs: Inputs): string {
  const stages = usable("stage_order", () => loadStages(inputs.stageOrder));
  const registry = usable("registry", () => loadRegistry(inputs.registry));
  if (isBreach(stages) || isBreach(registry)) {
    return report(
      "",
      { rows: [], breaches: [stages, registry].filter(isBreach) },
      loadStages(null),
    );
  }
  const a = readBundle(inputs.bundleA, "a");
  const b = readBundle(inputs.bundleB, "b");
  const runId = isBreach(a) ? "" : bundleRunId(a);
  if (isBreach(a) || isBreach(b)) {
    return report(runId, { rows: [], breaches: [a, b].filter(isBreach) }, stages);
  }
  const absent = [...absentMembers(a, "a"), ...absentMembers(b, "b")];
  if (absent.length > 0) {
    return report(runId, { rows: [], breaches: absent }, stages);
  }
  const locked = registryLock([a, b], registry.digest);
  if (locked !== undefined) {
    return report(runId, { rows: [locked], breaches: [] }, stages);
  }
  const context = { stages, registry };
  return report(
    runId,
    compareContents(takeBundle(a, "a"), takeBundle(b, "b"), inputs.files, context),
    stages,
  );
}

function report(runId: string, { rows, breaches }: Found, stages: StageOrder): string {
  const divergence = rows.length > 0 ? "DIVERGENT" : "EQUIVALENT";
  return reportText(
    runId,
    breaches.length > 0 ? "ERROR" : divergence,
    [...rows, ...breachRows(breaches)],
    stages,
  );
}

function isBreach(value: object): value is Breach {
  return "reason" in value;
}

/** Loads a local file that the comparison depends on, or says what is wrong with it. */
function usable<T>(side: Side, load: () => T): T | Breach {
  try {
    return load();
  } catch (error) {
    const law = side === "registry" ? "sovereign/registry-lock" : "sovereign/contract-stage-order";
    const breach = (path: string, reason: Reason | null): Breach => {
      return { turnId: "", surface: "schema", path, reason, law, side, message: String(error) };
    };
    if (error instanceof JsonError) {
      return breach(error.pointer, error.isLimit ? null : "E_REPLAY_INPUT_MISSING");
    }
    if (error instanceof NoCanonicalForm) {
      return breach("", "E_CANONICALIZATION_ERROR");
    }
    if (error instanceof Rejection) {
      return breach(error.pointer, null);
    }
    throw error;
  }
}

/** A bundle that was recorded under another registry stops the comparison; A is looked at first. */
function registryLock(bundles: readonly JsonValue[], local: string): Mismatch | undefined {
  const foreign = bundles
    .map((bundle) => digestMember(bundle, "registry_digest"))
    .find((digest) => digest !== undefined && digest !== local);
  return foreign === undefined
    ? undefined
    : bundleRow("", "/registry_digest", local, foreign, "E_REGISTRY_DIGEST_MISMATCH");
}

function bundleRow(
  turnId: string,
  path: string,
  expected: string,
  actual: string,
  reason: Reason,
): Mismatch {
  const surface = "bundle_digest";
  return {
    turnId,
    stageName: "replay",
    ordinal: "0",
    surface,
    path,
    expected,
    actual,
    reason,
    diagnostic: null,
  };
}

function compareContents(a: Bundle, b: Bundle, files: Files, context: Context): Found {
  const turnIds = new Set([...a.entries.keys(), ...b.entries.keys()]);
  const turns = [...turnIds].map((turnId) =>
    nameable(turnId, a.entries.get(turnId), b.entries.get(turnId), (id, entryA, entryB) =>
      compareEntries(id, entryA, entryB, files, context),
    ),
  );
  return {
    rows: [...compareDigests(a, b), ...turns.flatMap(({ rows }) => rows)],
    breaches: [...a.breaches, ...b.breaches, ...turns.flatMap(({ breaches }) => breaches)],
  };
}

function compareDigests(a: Bundle, b: Bundle): Mismatch[] {
  return [...a.digests].flatMap(([name, expected]) => {
    const actual = b.digests.get(name);
    const path = `/digests${pointerToken(name)}`;
    return actual === undefined || actual === expected
      ? []
      : [bundleRow("", path, expected, actual, "E_REPLAY_VERSION_MISMATCH")];
  });
}

type Compare = (turnId: string, a: Entry | undefined, b: Entry | undefined) => Found;

/**
 * No report can name a turn whose id holds a lone surrogate; so if there is something to say, the
 * id is what is wrong.
 */
function nameable(
  turnId: string,
  a: Entry | undefined,
  b: Entry | undefined,
  compare: Compare,
): Found {
  if (turnId.isWellFormed()) {
    return compare(turnId, a, b);
  }
  const { rows, breaches } = compare("", a, b);
  if (rows.length === 0 && breaches.length === 0) {
    return { rows, breaches };
  }
  return { rows: [], breaches: [...breaches, ...unnameable(a, "a"), ...unnameable(b, "b")] };
}

function unnameable(entry: Entry | undefined, side: Side): Breach[] {
  if (entry === undefined) {
    return [];
  }
  const pointer = `/turn_results/${entry.index}/turn_id`;
  const banned = { kind: "lone-surrogate", pointer, message: "a lone surrogate" } as const;
  return [bannedBreach(banned, "", "schema", side)];
}

function compareEntries(
  turnId: string,
  a: Entry | undefined,
  b: Entry | undefined,
  files: Files,
  context: Context,
): Found {
  if (a === undefined || b === undefined) {
    return { rows: [oneSided(turnId)], breaches: [] };
  }
  const place = `/turn_results${pointerToken(turnId)}`;
  const rows: Mismatch[] = [];
  if (a.digest !== undefined && b.digest !== undefined && a.digest !== b.digest) {
    rows.push(
      bundleRow(
        turnId,
        `${place}/turn_result_digest`,
        a.digest,
        b.digest,
        "E_REPLAY_EQUIVALENCE_FAILED",
      ),
    );
  }
  // An entry without a lawful list of paths is a breach of its own.
  if (a.paths === undefined || b.paths === undefined) {
    return { rows, breaches: [] };
  }
  const missing = (side: Side): Breach => {
    const [path, message] = [`${place}/paths`, "no path can be read, or what was read is not JSON"];
    const law = "sovereign/path-selection";
    return {
      turnId,
      surface: "schema",
      path,
      reason: "E_REPLAY_INPUT_MISSING",
      law,
      side,
      message,
    };
  };
  const load = (paths: readonly string[], side: Side): JsonValue | Breach => {
    const selected = firstReadable(paths, files);
    const read = selected === undefined ? "not JSON" : readTurn(selected.bytes, turnId, side);
    return read === "not JSON" ? missing(side) : read;
  };
  // Both are loaded before either is looked at.
  const [fileA, fileB] = [load(a.paths, "a"), load(b.paths, "b")];
  if (isBreach(fileA) || isBreach(fileB)) {
    return { rows, breaches: [fileA, fileB].filter(isBreach) };
  }
  const found = compareFiles(turnId, fileA, fileB, context);
  return { rows: [...rows, ...found.rows], breaches: found.breaches };
}

function oneSided(turnId: string): Mismatch {
  return {
    turnId,
    stageName: "replay",
    ordinal: "0",
    surface: "schema",
    path: "/turn_results",
    expected: null,
    actual: null,
    reason: "E_REPLAY_EQUIVALENCE_FAILED",
    diagnostic: null,
  };
}

function compareFiles(turnId: string, fileA: JsonValue, fileB: JsonValue, context: Context): Found {
  const a = takeTurn(fileA, turnId, "a", context);
  const b = takeTurn(fileB, turnId, "b", context);
  const rows: Mismatch[] = [];
  if (a.transition && b.transition) {
    rows.push(...compareTransitions(turnId, a.transition, b.transition));
  }
  if (a.decisions && b.decisions) {
    rows.push(...compareDecisions(turnId, a.decisions, b.decisions));
  }
  if (a.issues && b.issues) {
    rows.push(...compareIssues(turnId, a.issues, b.issues));
  }
  return { rows, breaches: [...a.breaches, ...b.breaches] };
}
