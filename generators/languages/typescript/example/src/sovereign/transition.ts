/** Surface list: every transition member whose name ends in `_digest` is compared. */

import { isDigest } from "../digest.js";
import { pointerToken } from "../json/reader.js";
import { member, type JsonObject } from "../json/value.js";
import type { Breaches } from "./breach.js";
import { TURN_LAW } from "./contracts.js";
import { findRepeated } from "./float-ban.js";
import type { Mismatch } from "./report.js";
import { isCanonicalSurface } from "./surfaces.js";

const PLACE = "/transition";
const REQUIRED = ["prior_state_digest", "proposed_state_digest", "inputs_digest"];

export interface Transition {
  /** Digests by name; null where that is what stands there. */
  readonly digests: ReadonlyMap<string, string | null>;
  /** Names that cannot be compared. */
  readonly unusable: ReadonlySet<string>;
}

export function takeTransition(turn: JsonObject, found: Breaches): Transition | undefined {
  const transition = member(turn, "transition");
  if (transition?.kind !== "object") {
    found.shape(TURN_LAW, PLACE, "a turn result has an object `transition`");
    return undefined;
  }
  const repeated = [...findRepeated(transition, PLACE)].filter(({ pointer }) =>
    isCanonicalSurface(pointer),
  );
  found.banned(repeated);
  const digests = new Map<string, string | null>();
  const unusable = new Set<string>();
  const seen = new Set<string>();
  for (const { name, value } of transition.members.filter(({ name }) => name.endsWith("_digest"))) {
    const place = PLACE + pointerToken(name);
    if (!name.isWellFormed()) {
      // No report could point at it.
      found.banned([
        { kind: "lone-surrogate", pointer: place, message: "a lone surrogate in a member name" },
      ]);
      continue;
    }
    const hasNoForm = found.scan(value, place, ({ pointer }) => isCanonicalSurface(pointer));
    if (hasNoForm || seen.has(name)) {
      unusable.add(name);
    } else if (value.kind === "null") {
      digests.set(name, null);
    } else if (value.kind === "string" && isDigest(value.value)) {
      digests.set(name, value.value);
    } else {
      found.shape(
        "sovereign/surface-list",
        place,
        "64 lower-case hexadecimal digits or null are due here",
      );
      unusable.add(name);
    }
    seen.add(name);
  }
  for (const name of REQUIRED.filter((required) => !seen.has(required))) {
    found.shape(TURN_LAW, `${PLACE}/${name}`, "the transition lacks this digest");
    unusable.add(name);
  }
  return { digests, unusable };
}

/** A member that is absent on one side counts as null there. */
export function compareTransitions(turnId: string, a: Transition, b: Transition): Mismatch[] {
  const names = new Set([...a.digests.keys(), ...b.digests.keys()]);
  return [...names]
    .filter((name) => !a.unusable.has(name) && !b.unusable.has(name))
    .map((name) => ({
      name,
      expected: a.digests.get(name) ?? null,
      actual: b.digests.get(name) ?? null,
    }))
    .filter(({ expected, actual }) => expected !== actual)
    .map(({ name, expected, actual }) => ({
      turnId,
      stageName: "replay",
      ordinal: "0",
      surface: "transition",
      path: PLACE + pointerToken(name),
      expected,
      actual,
      reason: "E_REPLAY_EQUIVALENCE_FAILED",
      diagnostic: null,
    }));
}
