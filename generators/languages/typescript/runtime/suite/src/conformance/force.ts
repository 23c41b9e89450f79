/** With what right an expectation binds, and which failures a run counts. */

/** What a failing check is against: a convention of the protocol, a ruling, or a specification. */
export type Weight = "interface" | "ruling" | "spec";

const LIGHTEST_FIRST: readonly Weight[] = ["interface", "ruling", "spec"];

/** The least weight that fails a test, by the word for it. */
const COUNTED: ReadonlyMap<string, Weight> = new Map([
  ["spec", "spec"],
  ["ruling", "ruling"],
  ["remark", "interface"],
]);

/** The weight of a force: `spec`, `interface`, or `ruling` with its id. */
export function weightOf(force: string): Weight {
  if (force === "spec" || force === "interface") {
    return force;
  }
  if (rulingOf(force) === undefined) {
    throw new Error(`an unknown force: ${JSON.stringify(force)}`);
  }
  return "ruling";
}

/** The ruling that a force names. */
export function rulingOf(force: string): string | undefined {
  return /^ruling (.+)$/.exec(force)?.[1];
}

/** Negative if the first is the lighter one; a pass, which weighs nothing, is lighter than any. */
export function compareWeights(a: Weight | undefined, b: Weight | undefined): number {
  const rank = (weight: Weight | undefined): number =>
    weight === undefined ? -1 : LIGHTEST_FIRST.indexOf(weight);
  return rank(a) - rank(b);
}

/** Whether a weight fails a test, by the word in `ASSIZE_FAIL_ON`. */
export function counts(weight: Weight, said = process.env["ASSIZE_FAIL_ON"]): boolean {
  return compareWeights(weight, leastCounted(said)) >= 0;
}

export function leastCounted(said: string | undefined): Weight {
  const least = COUNTED.get(said || "spec");
  if (least === undefined) {
    const words = [...COUNTED.keys()].join(", ");
    throw new Error(`ASSIZE_FAIL_ON is ${JSON.stringify(said)}: write one of ${words}`);
  }
  return least;
}
