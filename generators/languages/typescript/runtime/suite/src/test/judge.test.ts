/** The judge itself: each kind of check holds and fails, and each class is given. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judge, type OutcomeClass } from "../conformance/judge.js";
import type { Outcome, Output } from "../conformance/outcome.js";
import type { Check } from "../conformance/vectors.js";

const ACCEPT: Check = { pointer: "/is", canonical: '"accept"' };
const REJECT: Check = { pointer: "/is", canonical: '"reject"' };

function accepted(out: Readonly<Record<string, Output>>): Outcome {
  return { is: "accept", codes: [], out: new Map(Object.entries(out)) };
}

function rejected(...codes: readonly string[]): Outcome {
  return { is: "reject", codes, out: new Map() };
}

const ANSWER = accepted({
  report: { kind: "doc", text: '{"a/b": [1, 1.0, {"0": -0}], "c": "\\u20ac"}' },
  bytes: { kind: "bytes", bytes: Uint8Array.of(0xff, 0x0a) },
  count: { kind: "value", text: "9007199254740993" },
  stray: { kind: "stray", text: '{"a":1}' },
});

function check(outcome: Outcome, expect: readonly (readonly Check[])[], due: OutcomeClass): void {
  assert.equal(judge(expect, outcome).outcome, due);
}

describe("checks hold and fail", () => {
  const cases: readonly { readonly holds: Check; readonly fails: Check }[] = [
    {
      holds: { pointer: "/out/report/a~1b/0", canonical: "1" },
      fails: { pointer: "/out/report/a~1b/1", canonical: "1" },
    },
    {
      holds: { pointer: "/out/report", canonical: '{"c":"\\u20AC","a/b":[1,1.0,{"0":-0}]}' },
      fails: { pointer: "/out/report", canonical: '{"c":"\\u20AC","a/b":[1,1.0,{"0":0}]}' },
    },
    {
      holds: { pointer: "/out/report/a~1b/2/0", canonical: "-0" },
      fails: { pointer: "/out/report/c/0", canonical: '"e"' },
    },
    {
      holds: { pointer: "/out/count", canonical: "9007199254740993" },
      fails: { pointer: "/out/count", canonical: "9007199254740992" },
    },
    {
      holds: { pointer: "/out/report", text: '{"a/b": [1, 1.0, {"0": -0}], "c": "\\u20ac"}' },
      fails: { pointer: "/out/report", text: '{"a/b":[1,1.0,{"0":-0}],"c":"\\u20ac"}' },
    },
    {
      holds: { pointer: "/out/bytes", base64: "/wo=" },
      fails: { pointer: "/out/bytes", base64: "/w==" },
    },
    {
      holds: { pointer: "/out/report/a~1b", length: 3 },
      fails: { pointer: "/out/report/c", length: 1 },
    },
    {
      holds: { pointer: "/out/report/a~1b/2", object: true },
      fails: { pointer: "/out/report/a~1b", object: true },
    },
    {
      holds: { pointer: "/out", names: ["count", "report", "bytes", "stray"] },
      fails: { pointer: "/out", names: ["report", "bytes", "count"] },
    },
  ];
  for (const { holds, fails } of cases) {
    test(JSON.stringify(holds), () => check(ANSWER, [[ACCEPT, holds]], "PASS"));
    test(`not ${JSON.stringify(fails)}`, () => check(ANSWER, [[ACCEPT, fails]], "WRONG-OUTPUT"));
  }
});

function nested(levels: number): string {
  return `${"[".repeat(levels)}${"]".repeat(levels)}`;
}

test("an output of the wrong kind is wrong, whatever it holds", () => {
  check(ANSWER, [[ACCEPT, { pointer: "/out/stray/a", canonical: "1" }]], "WRONG-OUTPUT");
  check(ANSWER, [[ACCEPT, { pointer: "/out/stray", object: true }]], "WRONG-OUTPUT");
});

test("128 levels read", () => {
  const answer = accepted({ report: { kind: "doc", text: nested(128) } });
  check(answer, [[ACCEPT, { pointer: "/out/report", canonical: nested(128) }]], "PASS");
});

describe("documents that do not read fail", () => {
  const texts = [
    '{"a":1,"a":1}',
    nested(129),
    '["\\ud800"]',
    '{"\\udc00":1}',
    '{"a":1',
    '{"a":01}',
    '["\\"]',
    "{} {}",
    "",
  ];
  for (const text of texts) {
    test(JSON.stringify(text.slice(0, 20)), () => {
      const answer = accepted({ report: { kind: "doc", text } });
      check(answer, [[ACCEPT, { pointer: "/out/report", canonical: '{"a":1}' }]], "WRONG-OUTPUT");
      check(answer, [[ACCEPT, { pointer: "/out/report", object: true }]], "WRONG-OUTPUT");
      check(answer, [[ACCEPT, { pointer: "/out/report", length: 1 }]], "WRONG-OUTPUT");
    });
  }
});

describe("classes", () => {
  const codes: Check = { pointer: "/codes", codes: ["A_JSON", "A_LIMIT"] };

  test("codes are a set", () =>
    check(rejected("A_LIMIT", "A_JSON", "A_JSON"), [[REJECT, codes]], "PASS"));
  test("another code", () => check(rejected("A_JSON"), [[REJECT, codes]], "WRONG-CODE"));
  test("another verdict", () => check(ANSWER, [[REJECT, codes]], "WRONG-VERDICT"));
  test("a fault is no rejection", () =>
    check({ is: "fault", message: "" }, [[REJECT, codes]], "FAULT"));
  test("a promise is kept", () => {
    check({ is: "unsupported", feature: "canon.bytes" }, [[REJECT, codes]], "BROKEN-PROMISE");
  });
});

describe("alternatives", () => {
  const json: readonly Check[] = [REJECT, { pointer: "/codes", codes: ["A_JSON"] }];
  const value: readonly Check[] = [REJECT, { pointer: "/codes", codes: ["A_VALUE"] }];

  test("any of them will do", () => {
    check(rejected("A_JSON"), [json, value], "PASS");
    check(rejected("A_VALUE"), [json, value], "PASS");
    check(rejected("A_LIMIT"), [json, value], "WRONG-CODE");
  });
  test("the closest is reported", () => {
    const { outcome, mismatches } = judge([[ACCEPT], value], rejected("A_LIMIT"));
    assert.equal(outcome, "WRONG-CODE");
    assert.deepEqual(
      mismatches.map(({ pointer, expected, actual }) => [pointer, expected, actual]),
      [["/codes", '["A_VALUE"]', '["A_LIMIT"]']],
    );
  });
});
