/** A replay bundle: what of it can be used, and every breach. */

import { isDigest } from "../digest.js";
import { compareCodePoints } from "../json/order.js";
import { JsonError, LAW, parseJson, pointerToken } from "../json/reader.js";
import { member, memberText, type JsonValue } from "../json/value.js";
import { breaches } from "../shape.js";
import { Breaches, type Breach, type Side } from "./breach.js";
import { replayBundle } from "./contracts.js";
import { hasConstant, type Banned } from "./float-ban.js";
import { stringItems } from "./paths.js";
import { isWithin, surfaceInBundle } from "./surfaces.js";

const LAW_SLUG = "sovereign/contract-replay-bundle";

const MEMBERS = ["contract_version", "run_envelope", "registry_digest", "digests", "turn_results"];

/** A turn entry. */
export interface Entry {
  /** Position in `turn_results`. */
  readonly index: number;
  /** The declared digest, where it is spelled as one. */
  readonly digest: string | undefined;
  /** The paths, where the entry has a lawful list of them. */
  readonly paths: readonly string[] | undefined;
}

export interface Bundle {
  /** Members of `digests` that are digests. */
  readonly digests: ReadonlyMap<string, string>;
  /** By turn id; the last of equal ids. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly breaches: readonly Breach[];
}

/** Reads a bundle's text, or says why nothing in it can be used. */
export function readBundle(bytes: Uint8Array, side: Side): JsonValue | Breach {
  const broken = { turnId: "", surface: "schema", path: "", law: LAW_SLUG, side } as const;
  try {
    const root = parseJson(bytes, LAW);
    if (!hasConstant(root, "", (pointer) => surfaceInBundle(pointer) === "schema")) {
      return root;
    }
    return {
      ...broken,
      reason: "E_REPLAY_INPUT_MISSING",
      message: "not JSON: it holds NaN or an infinity",
    };
  } catch (error) {
    if (!(error instanceof JsonError)) {
      throw error;
    }
    const { message, pointer: path } = error;
    return error.isLimit
      ? { ...broken, surface: surfaceInBundle(path), path, reason: null, message }
      : { ...broken, reason: "E_REPLAY_INPUT_MISSING", message };
  }
}

/** The breaches that leave nothing to compare: no object, or an absent member of the five. */
export function absentMembers(root: JsonValue, side: Side): Breach[] {
  const broken = { turnId: "", surface: "schema", law: LAW_SLUG, side } as const;
  if (root.kind !== "object") {
    return [{ ...broken, path: "", reason: null, message: "a bundle is an object" }];
  }
  return MEMBERS.filter((name) => member(root, name) === undefined).map((name) => ({
    ...broken,
    path: pointerToken(name),
    reason: "E_REPLAY_INPUT_MISSING",
    message: `the bundle has no ${name}`,
  }));
}

/** The run id, or "" where it is no string that a report can hold. */
export function bundleRunId(root: JsonValue): string {
  const runId = memberText(member(root, "run_envelope"), "run_id") ?? "";
  return runId.isWellFormed() ? runId : "";
}

/** A member that is spelled as a digest. */
export function digestMember(value: JsonValue, name: string): string | undefined {
  const found = memberText(value, name);
  return found !== undefined && isDigest(found) ? found : undefined;
}

/** Takes a bundle that has its five members, with all of its breaches. */
export function takeBundle(root: JsonValue, side: Side): Bundle {
  const turnResults = member(root, "turn_results");
  const items = turnResults?.kind === "array" ? turnResults.items : [];
  const turnIdOf = (pointer: string): string => {
    const index = /^\/turn_results\/([0-9]+)/.exec(pointer)?.[1];
    const turnId = index === undefined ? undefined : memberText(items[Number(index)], "turn_id");
    return turnId?.isWellFormed() ? turnId : "";
  };
  const found = new Breaches(side, surfaceInBundle, turnIdOf);
  found.scan(root, "", mattersInBundle);
  const banned = found.pathsSince(0);
  // What has no canonical form is not also of the wrong shape.
  for (const { pointer, message } of breaches(replayBundle, root).filter(
    ({ pointer }) => !banned.has(pointer),
  )) {
    found.shape(
      LAW_SLUG,
      pointer,
      message,
      pointer === "/contract_version" ? "E_REPLAY_VERSION_MISMATCH" : null,
    );
  }
  const entries = takeEntries(items, found);
  return { digests: takeDigests(member(root, "digests")), entries, breaches: found.limited() };
}

function mattersInBundle({ kind, pointer }: Banned): boolean {
  return (
    surfaceInBundle(pointer) === "bundle_digest" ||
    kind === "repeated-name" ||
    (kind === "lone-surrogate" && isWithin(pointer, "/run_envelope/run_id"))
  );
}

function takeDigests(digests: JsonValue | undefined): Map<string, string> {
  const members = digests?.kind === "object" ? digests.members : [];
  return new Map(
    members.flatMap(({ name, value }) =>
      value.kind === "string" && isDigest(value.value) ? [[name, value.value]] : [],
    ),
  );
}

function takeEntries(items: readonly JsonValue[], found: Breaches): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [index, item] of items.entries()) {
    const turnId = memberText(item, "turn_id");
    if (turnId === undefined) {
      continue;
    }
    const place = `/turn_results/${index}`;
    if (entries.has(turnId)) {
      found.shape(LAW_SLUG, `${place}/turn_id`, "the turn is listed twice; the last entry is used");
    }
    const listed = stringItems(member(item, "paths"));
    const paths = listed?.length === 0 ? undefined : listed;
    if (paths !== undefined && !isSorted(paths)) {
      found.shape(
        "sovereign/path-selection",
        `${place}/paths`,
        "paths are not in code point order",
      );
    }
    entries.set(turnId, { index, digest: digestMember(item, "turn_result_digest"), paths });
  }
  return entries;
}

function isSorted(paths: readonly string[]): boolean {
  return paths.every(
    (path, index) => index === 0 || compareCodePoints(paths[index - 1] ?? "", path) <= 0,
  );
}
