/** A turn file: what of it can be compared, and every breach. */

import { JsonError, LAW, parseJson } from "../json/reader.js";
import { member, type JsonObject, type JsonValue } from "../json/value.js";
import { Breaches, type Breach, type Side } from "./breach.js";
import { TURN_LAW } from "./contracts.js";
import { takeDecisions, type Decisions } from "./decisions.js";
import { findRepeated, hasConstant } from "./float-ban.js";
import { takeIssues, type Issue } from "./issues.js";
import type { StageOrder } from "./ordering.js";
import type { Registry } from "./registry.js";
import { isCanonicalSurface, surfaceInTurn } from "./surfaces.js";
import { takeTransition, type Transition } from "./transition.js";

/** What turn files are judged by. */
export interface Context {
  readonly stages: StageOrder;
  readonly registry: Registry;
}

export interface Turn {
  /** Undefined for a part that is not there to be compared. */
  readonly transition: Transition | undefined;
  readonly decisions: Decisions | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly breaches: readonly Breach[];
}

/** Reads a turn file's text, or says why it cannot be judged. */
export function readTurn(
  bytes: Uint8Array,
  turnId: string,
  side: Side,
): JsonValue | Breach | "not JSON" {
  try {
    const root = parseJson(bytes, LAW);
    // Constants are tokens on canonical surfaces; anywhere else they make the file no JSON.
    return hasConstant(root, "", (pointer) => !isCanonicalSurface(pointer)) ? "not JSON" : root;
  } catch (error) {
    if (!(error instanceof JsonError)) {
      throw error;
    }
    const { isLimit, pointer: path, message } = error;
    return isLimit
      ? { turnId, surface: surfaceInTurn(path), path, reason: null, law: TURN_LAW, side, message }
      : "not JSON";
  }
}

export function takeTurn(root: JsonValue, turnId: string, side: Side, context: Context): Turn {
  const found = new Breaches(side, surfaceInTurn, () => turnId);
  if (root.kind !== "object") {
    found.shape(TURN_LAW, "", "a turn result is an object");
    return {
      transition: undefined,
      decisions: undefined,
      issues: undefined,
      breaches: found.limited(),
    };
  }
  checkRepeated(root, found);
  return {
    transition: takeTransition(root, found),
    decisions: takeDecisions(root, found, context.registry),
    issues: takeIssues(root, found, context.stages),
    breaches: found.limited(),
  };
}

/** A repeated member that holds surfaces hides what stood there first. */
function checkRepeated(root: JsonObject, found: Breaches): void {
  const places = ["/transition", "/capabilities", "/issues", "/capabilities/decisions"];
  const capabilities = member(root, "capabilities");
  const repeated = [
    ...findRepeated(root, ""),
    ...(capabilities?.kind === "object" ? findRepeated(capabilities, "/capabilities") : []),
  ];
  found.banned(repeated.filter(({ pointer }) => places.includes(pointer)));
}
