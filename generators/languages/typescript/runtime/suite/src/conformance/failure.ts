/** What a failed case says. */

import { rulings, type Mismatch, type Verdict } from "./judge.js";
import type { Case } from "./vectors.js";

/** Characters that a message shows of a value. */
const MOST_SHOWN = 600;

/** A case failed. Its stack would only show the suite. */
export class CaseFailure extends Error {
  override readonly name = "CaseFailure";

  constructor(message: string) {
    super(message);
    this.stack = message;
  }
}

export function failureMessage(tested: Case, { outcome, mismatches }: Verdict): string {
  return [
    `${outcome}: ${tested.id}`,
    `  law        ${tested.law}`,
    `  why        ${tested.rationale}`,
    `  spec       ${tested.spec}`,
    ...mismatches.flatMap(mismatchLines),
    `  run alone  ${aloneCommand(tested)}`,
    `  explain    assize explain ${tested.id}`,
  ].join("\n");
}

/** One line for a failure that does not count. */
export function brief(tested: Case, verdict: Verdict): string {
  const named = rulings(verdict);
  const against = named.length > 0 ? `against ruling ${named.join(", ")}: ` : "";
  const places = verdict.mismatches.map(({ pointer }) => pointer).join(", ");
  return `${against}${verdict.outcome} of ${tested.id} at ${places}; ASSIZE_FAIL_ON=remark shows more`;
}

export function staleMessage(tested: Case, known: string, { outcome }: Verdict): string {
  return [
    `stale: ${tested.id} is listed as a known failure (${known}), but its outcome is ${outcome}`,
    "  Mend or remove the entry in the expectations file, and emit the suite again.",
    `  run alone  ${aloneCommand(tested)}`,
  ].join("\n");
}

/** The name of the compiled test file of a law. */
export function testFile(law: string): string {
  return `${law.replaceAll("/", "-")}.test.js`;
}

function aloneCommand({ id, law }: Case): string {
  return `node --test --test-name-pattern='^${id}$' dist/test/${testFile(law)}`;
}

function mismatchLines({ pointer, force, expected, actual }: Mismatch): string[] {
  return [
    `  at         ${pointer || "the answer"} (${force})`,
    `    expected ${cut(expected)}`,
    `    actual   ${cut(actual)}`,
  ];
}

function cut(text: string): string {
  return text.length <= MOST_SHOWN
    ? text
    : `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)`;
}
