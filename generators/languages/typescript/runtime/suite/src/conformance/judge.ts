/** Holds an outcome against what a case expects. */

import { normalText, parseNode, type JsonNode } from "./json.js";
import type { Judgement, Outcome, Output } from "./outcome.js";
import type { Alternatives, Check } from "./vectors.js";

export type OutcomeClass =
  "PASS" | "WRONG-OUTPUT" | "WRONG-CODE" | "WRONG-VERDICT" | "BROKEN-PROMISE" | "FAULT";

/** A check that does not hold. */
export interface Mismatch {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}

export interface Verdict {
  readonly outcome: OutcomeClass;
  readonly mismatches: readonly Mismatch[];
}

/** Classes by how close they are to a pass. */
const CLOSENESS: readonly OutcomeClass[] = ["PASS", "WRONG-OUTPUT", "WRONG-CODE", "WRONG-VERDICT"];

export function judge(expect: Alternatives, outcome: Outcome): Verdict {
  switch (outcome.is) {
    case "unsupported": {
      const mismatch = {
        pointer: "",
        expected: "an answer, as declared",
        actual: `unsupported: ${outcome.feature}`,
      };
      return { outcome: "BROKEN-PROMISE", mismatches: [mismatch] };
    }
    case "fault":
      return {
        outcome: "FAULT",
        mismatches: [{ pointer: "", expected: "an answer", actual: outcome.message }],
      };
    default:
      return closest(expect.map((checks) => judgeOne(checks, outcome)));
  }
}

/** `sort` keeps the first of equals first. */
function closest(verdicts: readonly Verdict[]): Verdict {
  const rank = ({ outcome }: Verdict): number => CLOSENESS.indexOf(outcome);
  const [first] = verdicts.toSorted(
    (a, b) => rank(a) - rank(b) || a.mismatches.length - b.mismatches.length,
  );
  if (first === undefined) {
    throw new Error("a case expects nothing at all");
  }
  return first;
}

function judgeOne(checks: readonly Check[], judgement: Judgement): Verdict {
  const failed = checks.flatMap((check) => {
    const { holds, expected, actual } = compare(check, judgement);
    return holds ? [] : [{ pointer: check.pointer, expected, actual }];
  });
  const verdict = failed.filter(({ pointer }) => pointer === "/is");
  if (verdict.length > 0) {
    return { outcome: "WRONG-VERDICT", mismatches: verdict };
  }
  if (failed.some(({ pointer }) => pointer === "/codes")) {
    return { outcome: "WRONG-CODE", mismatches: failed };
  }
  return { outcome: failed.length > 0 ? "WRONG-OUTPUT" : "PASS", mismatches: failed };
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
  const actual = node === undefined ? rawText(found) : normalText(node);
  if ("canonical" in check) {
    const expected = normalText(parseNode(check.canonical));
    return { holds: node !== undefined && actual === expected, expected, actual };
  }
  if ("codes" in check) {
    const expected = setText(check.codes);
    return { holds: expected === setText(judgement.codes), expected, actual };
  }
  if ("names" in check) {
    const expected = setText(check.names);
    const holds = node?.kind === "object" && setText([...node.members.keys()]) === expected;
    return { holds, expected: `exactly the members ${expected}`, actual };
  }
  if ("length" in check) {
    const holds = node?.kind === "array" && node.items.length === check.length;
    return { holds, expected: `an array of ${check.length}`, actual };
  }
  if ("object" in check) {
    return { holds: node?.kind === "object", expected: "an object", actual };
  }
  if ("base64" in check) {
    const bytes = Buffer.from(check.base64, "base64");
    const holds = found?.kind === "bytes" && bytes.equals(found.bytes);
    return { holds, expected: bytesText(bytes), actual };
  }
  const holds = found?.kind === "doc" && found.text === check.text;
  return { holds, expected: check.text, actual: rawText(found) };
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
      return normalText(found);
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
