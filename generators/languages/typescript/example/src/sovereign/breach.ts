/**
 * What makes a comparison say ERROR: places where input is unreadable, unlawful or over a limit.
 */

import type { JsonValue } from "../json/value.js";
import { findBanned, MOST_FINDINGS, type Banned } from "./float-ban.js";
import type { Mismatch, Reason, Surface } from "./report.js";

export type Side = "a" | "b" | "both" | "registry" | "stage_order";

export interface Breach {
  /** "" for the bundle as a whole, and for ids that no report can hold. */
  readonly turnId: string;
  readonly surface: Surface;
  readonly path: string;
  /** The registered code; null for shape and limits. */
  readonly reason: Reason | null;
  readonly law: string;
  readonly side: Side;
  readonly message: string;
}

export function bannedBreach(banned: Banned, turnId: string, surface: Surface, side: Side): Breach {
  const { kind, pointer: path, message } = banned;
  const law = kind === "number" ? "sovereign/float-ban" : "sovereign/canonical-parity";
  return { turnId, surface, path, reason: "E_CANONICALIZATION_ERROR", law, side, message };
}

/** Collects the breaches of one document. */
export class Breaches {
  readonly #list: Breach[] = [];

  constructor(
    readonly side: Side,
    readonly surfaceOf: (pointer: string) => Surface,
    readonly turnIdOf: (pointer: string) => string,
  ) {}

  get count(): number {
    return this.#list.length;
  }

  /** When the limit is passed, what is left is not looked at any more. */
  get isOverLimit(): boolean {
    return this.#list.length > MOST_FINDINGS;
  }

  shape(law: string, path: string, message: string, reason: Reason | null = null): void {
    const [turnId, surface] = [this.turnIdOf(path), this.surfaceOf(path)];
    this.#list.push({ turnId, surface, path, reason, law, side: this.side, message });
  }

  banned(banned: Iterable<Banned>): void {
    for (const one of banned) {
      const [turnId, surface] = [this.turnIdOf(one.pointer), this.surfaceOf(one.pointer)];
      this.#list.push(bannedBreach(one, turnId, surface, this.side));
    }
  }

  /** Collects what has no canonical form at or below a place; true if there is any. */
  scan(value: JsonValue, place: string, matters: (banned: Banned) => boolean): boolean {
    const found = findBanned(value, place, matters);
    this.banned(found);
    return found.length > 0;
  }

  pathsSince(start: number): Set<string> {
    return new Set(this.#list.slice(start).map(({ path }) => path));
  }

  /** The first breaches up to the limit, and one more that says how many are left out. */
  limited(): Breach[] {
    const leftOut = this.#list.length - MOST_FINDINGS;
    const [first] = this.#list;
    if (leftOut <= 0 || first === undefined) {
      return this.#list;
    }
    const message = `${leftOut} breaches beyond the limit of ${MOST_FINDINGS} are not listed`;
    const last: Breach = { ...first, surface: "schema", path: "", reason: null, message };
    return [...this.#list.slice(0, MOST_FINDINGS), last];
  }
}

/**
 * One row for each breach; the same one on both sides is one row, since a diagnostic never matters.
 */
export function breachRows(breaches: readonly Breach[]): Mismatch[] {
  const merged = new Map<string, Breach>();
  for (const breach of breaches) {
    const key = JSON.stringify([breach.turnId, breach.surface, breach.path, breach.reason]);
    const other = merged.get(key);
    const side = other !== undefined && other.side !== breach.side ? "both" : breach.side;
    merged.set(key, { ...(other ?? breach), side });
  }
  return [...merged.values()].map(row);
}

function row({ turnId, surface, path, reason, law, side, message }: Breach): Mismatch {
  return {
    turnId,
    stageName: reason === "E_CANONICALIZATION_ERROR" ? "determinism" : "replay",
    ordinal: "0",
    surface,
    path,
    expected: null,
    actual: null,
    reason,
    diagnostic: { law, side, message },
  };
}
