/** Holds an outcome against what a case expects. */

import { compareWeights, rulingOf, weightOf, type Weight } from "./force.js";
import { canonicalText, parseNode, type JsonNode } from "./json.js";
import type { Judgement, Outcome, Output } from "./outcome.js";
import type { Alternatives, Check } from "./vectors.js";

export type OutcomeClass =
  "PASS" | "WRONG-OUTPUT" | "WRONG-CODE" | "WRONG-VERDICT" | "BROKEN-PROMISE" | "FAULT";

/** A check that does not hold. */
export interface Mismatch {
  readonly pointer: string;
  readonly force: string;
  readonly expected: string;
  readonly actual: string;
}

export interface Verdict {
  readonly outcome: OutcomeClass;
  readonly mismatches: readonly Mismatch[];
  /** That of the strongest check that does not hold; a pass has none. */
  readonly weight: Weight | undefined;
}

/** Classes by how close they are to a pass. */
const CLOSENESS: readonly OutcomeClass[] = ["PASS", "WRONG-OUTPUT", "WRONG-CODE", "WRONG-VERDICT"];

export function judge(expect: Alternatives, outcome: Outcome): Verdict {
  switch (outcome.is) {
    case "unsupported":
      return noJudgement(
        "BROKEN-PROMISE",
        "an answer, as declared",
        `unsupported: ${outcome.feature}`,
      );
    case "fault":
      return noJudgement("FAULT", "an answer", outcome.message);
    default:
      return lightest(expect.map((checks) => judgeOne(checks, outcome)));
  }
}

/** The rulings that a verdict is against. */
export function rulings({ mismatches }: Verdict): readonly string[] {
  const named = mismatches.flatMap(({ force }) => rulingOf(force) ?? []);
  return [...new Set(named)].sort();
}

/** What did not come is against the specification. */
function noJudgement(outcome: OutcomeClass, expected: string, actual: string): Verdict {
  return verdict(outcome, [{ pointer: "", force: "spec", expected, actual }]);
}

function verdict(outcome: OutcomeClass, mismatches: readonly Mismatch[]): Verdict {
  const [weight] = mismatches
    .map(({ force }) => weightOf(force))
    .sort((a, b) => compareWeights(b, a));
  return { outcome, mismatches, weight };
}

/** Of what weighs the same the closest; `toSorted` keeps the first of equals first. */
function lightest(verdicts: readonly Verdict[]): Verdict {
  const rank = ({ outcome }: Verdict): number => CLOSENESS.indexOf(outcome);
  const [first] = verdicts.toSorted(
    (a, b) =>
      compareWeights(a.weight, b.weight) ||
      rank(a) - rank(b) ||
      a.mismatches.length - b.mismatches.length,
  );
  if (first === undefined) {
    throw new Error("a case expects nothing at all");
  }
  return first;
}

function judgeOne(checks: readonly Check[], judgement: Judgement): Verdict {
  const failed = checks.flatMap((check) => {
    const { holds, expected, actual } = compare(check, judgement);
    return holds ? [] : [{ pointer: check.pointer, force: check.force, expected, actual }];
  });
  const wrongVerdict = failed.filter(({ pointer }) => pointer === "/is");
  if (wrongVerdict.length > 0) {
    return verdict("WRONG-VERDICT", wrongVerdict);
  }
  if (failed.some(({ pointer }) => pointer === "/codes")) {
    return verdict("WRONG-CODE", failed);
  }
  return verdict(failed.length > 0 ? "WRONG-OUTPUT" : "PASS", failed);
}

interface Comparison {
  readonly holds: boolean;
  /** For people, as is `actual`. */
  readonly expected: string;
  readonly actual: string;
}

function compare(check: Check, judgement: Judgement): Comparison {
  const found = find(judgement, check.pointer);
  const node = parsed(found);
  const actual = node === undefined ? rawText(found) : canonicalText(node);
  if ("canonical" in check) {
    const expected = canonicalText(parseNode(check.canonical));
    return { holds: node !== undefined && actual === expected, expected, actual };
  }
  if ("codes" in check) {
    const expected = setText(check.codes);
    return { holds: expected === setText(judgement.codes), expected, actual };
  }
  if ("registered" in check) {
    const expected = setText(check.registered);
    const holds = expected === setText(judgement.codes.filter(isRegistered));
    return { holds, expected: `of registered codes ${expected}`, actual };
  }
  if ("object" in check) {
    return { holds: node?.kind === "object", expected: "an object", actual };
  }
  if ("within" in check) {
    // That an object has to stand there is another check's business, as it is with arrays.
    const holds =
      node?.kind !== "object" || [...node.members.keys()].every((n) => check.within.includes(n));
    return { holds, expected: `no members but ${setText(check.within)}`, actual };
  }
  if ("filled" in check) {
    const holds =
      node?.kind !== "object" ||
      [...node.members].every(([n, member]) => check.filled.includes(n) || isEmpty(member));
    return { holds, expected: `nothing but ${setText(check.filled)} that holds something`, actual };
  }
  if ("array" in check) {
    return { holds: node?.kind === "array", expected: "an array", actual };
  }
  if ("most" in check) {
    const holds = node?.kind !== "array" || node.items.length <= check.most;
    return { holds, expected: `no more than ${check.most} items`, actual };
  }
  if ("empty" in check) {
    const holds = node === undefined || isEmpty(node);
    return { holds, expected: "nothing that holds something", actual };
  }
  if ("absent" in check) {
    return { holds: found === undefined, expected: "nothing", actual };
  }
  if ("base64" in check) {
    const bytes = Buffer.from(check.base64, "base64");
    const holds = found?.kind === "bytes" && bytes.equals(found.bytes);
    return { holds, expected: bytesText(bytes), actual };
  }
  const raw = rawText(found);
  if ("spelled" in check) {
    const holds = found?.kind === "doc" && node !== undefined && found.text === canonicalText(node);
    return { holds, expected: "the canonical text of its own value", actual: raw };
  }
  if ("text" in check) {
    const holds = found?.kind === "doc" && found.text === check.text;
    return { holds, expected: check.text, actual: raw };
  }
  throw new Error(`an unknown check: ${JSON.stringify(check)}`);
}

/** Whether a value is an array or an object that holds nothing. */
function isEmpty(node: JsonNode): boolean {
  return (
    (node.kind === "array" && node.items.length === 0) ||
    (node.kind === "object" && node.members.size === 0)
  );
}

/** Whether a specification registers a code: it is none of the protocol's own, and no law's name. */
function isRegistered(code: string): boolean {
  return !code.startsWith("A_") && !code.includes("/") && code !== "ABORT";
}

/** A set of strings. */
function setText(texts: readonly string[]): string {
  return JSON.stringify([...new Set(texts)].sort());
}

/** What stands at a pointer into the answer: a part of it, or an output as a whole. */
type Found = JsonNode | Output | undefined;

function find(judgement: Judgement, pointer: string): Found {
  const [, top, name, ...rest] = pointer
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (top === "out" && name !== undefined) {
    const output = judgement.out.get(name);
    return rest.length === 0 ? output : below(parsed(output), rest);
  }
  return below(answerNode(judgement), top === undefined ? [] : [top]);
}

/** The answer but for the values of its outputs. */
function answerNode({ is, codes, out }: Judgement): JsonNode {
  const outputs = Object.fromEntries([...out.keys()].map((name) => [name, null]));
  return parseNode(JSON.stringify({ is, codes, out: outputs }));
}

function below(node: JsonNode | undefined, tokens: readonly string[]): JsonNode | undefined {
  return tokens.reduce<JsonNode | undefined>((found, token) => {
    switch (found?.kind) {
      case "object":
        return found.members.get(token);
      case "array":
        return /^(?:0|[1-9][0-9]*)$/.test(token) ? found.items[Number(token)] : undefined;
      default:
        return undefined;
    }
  }, node);
}

/** A found thing as a JSON value, which no bytes are, no stray, and no document that does not read. */
function parsed(found: Found): JsonNode | undefined {
  switch (found?.kind) {
    case "bytes":
    case "stray":
      return undefined;
    case "doc":
    case "value":
      try {
        return parseNode(found.text);
      } catch {
        return undefined;
      }
    default:
      return found;
  }
}

/** What was found as it was written. */
function rawText(found: Found): string {
  if (found === undefined) {
    return "(nothing)";
  }
  switch (found.kind) {
    case "doc":
    case "value":
    case "stray":
      return found.text;
    case "bytes":
      return bytesText(found.bytes);
    default:
      return canonicalText(found);
  }
}

/** Bytes as text where they are some. */
function bytesText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString("utf8");
  return Buffer.from(text).equals(buffer)
    ? `bytes ${JSON.stringify(text)}`
    : `base64 ${buffer.toString("base64")}`;
}
