/** Which surface a place belongs to, and which places matter to parity at all. */

import type { Surface } from "./report.js";

export function isWithin(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}

export function surfaceInBundle(pointer: string): Surface {
  const isDigest =
    isWithin(pointer, "/registry_digest") ||
    pointer.startsWith("/digests/") ||
    /^\/turn_results\/[^/]*\/turn_result_digest(?:\/|$)/.test(pointer);
  return isDigest ? "bundle_digest" : "schema";
}

export function surfaceInTurn(pointer: string): Surface {
  if (isWithin(pointer, "/transition")) {
    return "transition";
  }
  if (isWithin(pointer, "/capabilities/decisions")) {
    return "decision_record";
  }
  return isWithin(pointer, "/issues") ? "issue" : "schema";
}

/**
 * Safe boundary: in a turn file, transition digests, decision records, and issues but for their
 * message.
 */
export function isCanonicalSurface(pointer: string): boolean {
  const [, top, second, third] = pointer.split("/");
  switch (top) {
    case "transition":
      return second !== undefined && second.endsWith("_digest");
    case "capabilities":
      return second === "decisions" && third !== undefined;
    case "issues":
      return second !== undefined && third !== "message";
    default:
      return false;
  }
}
