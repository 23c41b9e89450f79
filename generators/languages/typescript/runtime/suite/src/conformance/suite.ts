/** Runs the cases of one law as tests of node's runner, one named test a case. */

import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { after, describe, test, type TestContext } from "node:test";

import { ask } from "./ask.js";
import {
  declaresNothing,
  NOTHING_DECLARED,
  plain,
  undeclared,
  type Declared,
} from "./declaration.js";
import { brief, CaseFailure, failureMessage, staleMessage } from "./failure.js";
import { CannotLayOut, withFolder } from "./folder.js";
import { counts, leastCounted, type Weight } from "./force.js";
import { judge, type OutcomeClass, type Verdict } from "./judge.js";
import { chooseSubject, type Subject } from "./subject.js";
import { questionOf, readCases, readManifest, type Case, type KnownFailure } from "./vectors.js";

/** Node cannot interrupt a loop, but it can stop waiting for a promise. */
const PATIENCE_MS = 60_000;

/** True if the runner was told to leave tests out, so that nobody can ask for all of them. */
export function isFilteredRun(): boolean {
  return process.execArgv.some((option) =>
    /^--test-(?:name-pattern|skip-pattern|only)/.test(option),
  );
}

/** Registers the tests of a law. Vectors that do not load fail the file. */
export async function describeLaw(slug: string): Promise<void> {
  // A word that nobody knows ends the run here, and not in each of its failures.
  leastCounted(process.env["ASSIZE_FAIL_ON"]);
  const manifest = readManifest();
  const law = manifest.laws.find((entry) => entry.slug === slug);
  assert(law !== undefined, `vectors/manifest.json knows no law ${slug}`);
  const cases = readCases(law);
  const subject = await chooseSubject();
  const declared = plain(subject.declared);
  const known = new Map(manifest.known.map((failure) => [failure.id, failure]));
  const seen = new Set<string>();
  const running = new Set<string>();

  // One listener a law, and all laws may share a process.
  process.setMaxListeners(0);
  // An implementation that ends the process would take the cases that remain with it, unseen.
  process.once("exit", () => {
    if (running.size > 0 || (seen.size < cases.length && !isFilteredRun())) {
      process.exitCode = 1;
      console.error(`${slug}: the process ended before its last case: ${[...running].join()}`);
      running.forEach((id) => record(id, "FAULT", "spec"));
    }
  });

  describe(slug, () => {
    after(() => subject.close());

    for (const one of cases) {
      test(one.id, { timeout: PATIENCE_MS }, async (context) => {
        seen.add(one.id);
        running.add(one.id);
        try {
          await runCase(context, one, subject, declared, known.get(one.id));
        } finally {
          running.delete(one.id);
        }
      });
    }

    test(`every case of ${slug} was run or skipped with a reason`, (context) => {
      if (isFilteredRun()) {
        context.skip("a filtered run asks for some of the cases only");
        return;
      }
      assert(!declaresNothing(declared), NOTHING_DECLARED);
      assert.deepEqual([...seen].sort(), cases.map(({ id }) => id).sort());
      assert.equal(seen.size, law.count);
    });
  });
}

async function runCase(
  context: TestContext,
  one: Case,
  subject: Subject,
  declared: Declared,
  known: KnownFailure | undefined,
): Promise<void> {
  const feature = undeclared(declared, one.op, one.args);
  if (feature !== undefined) {
    context.skip(`not declared: ${feature}`);
    return;
  }
  try {
    const outcome = await withFolder(one, (root) =>
      ask(subject.implementation, questionOf(one, root)),
    );
    const verdict = judge(one.expect, outcome);
    record(one.id, verdict.outcome, verdict.weight);
    settle(context, one, verdict, known);
  } catch (error) {
    if (!(error instanceof CannotLayOut)) {
      throw error;
    }
    context.skip(error.message);
  }
}

/** For machines. Test files run side by side, so that a line is written as a whole. */
function record(id: string, outcome: OutcomeClass, weight: Weight | undefined): void {
  const file = process.env["ASSIZE_OUTCOMES"];
  if (file !== undefined) {
    const columns = [id, outcome, ...(weight === undefined ? [] : [weight])];
    appendFileSync(file, `${columns.join("\t")}\n`);
  }
}

/** A known failure is node's `todo`, as long as it fails in the way that is known. */
function settle(
  context: TestContext,
  one: Case,
  verdict: Verdict,
  known: KnownFailure | undefined,
): void {
  if (known === undefined) {
    settleUnknown(context, one, verdict);
    return;
  }
  if (verdict.outcome !== suiteClass(known.outcome)) {
    throw new CaseFailure(staleMessage(one, known.outcome, verdict));
  }
  context.todo(
    `known failure, ${known.outcome}: ${known.reason}${known.link ? ` (${known.link})` : ""}`,
  );
}

/** A ruling failure that does not count is skipped, and a remark passes with a line of its own. */
function settleUnknown(context: TestContext, one: Case, verdict: Verdict): void {
  if (verdict.weight === undefined) {
    return;
  }
  if (counts(verdict.weight)) {
    throw new CaseFailure(failureMessage(one, verdict));
  }
  if (verdict.weight === "ruling") {
    context.skip(brief(one, verdict));
  } else {
    context.diagnostic(`remark: ${brief(one, verdict)}`);
  }
}

/** Crashes, time-outs and broken frames are told apart from outside alone; here each is a fault. */
function suiteClass(outcome: string): string {
  return ["CRASH", "TIMEOUT", "PROTOCOL"].includes(outcome) ? "FAULT" : outcome;
}
