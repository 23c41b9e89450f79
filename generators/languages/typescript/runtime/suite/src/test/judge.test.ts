/** The judge itself: each kind of check holds and fails, and each class is given. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { counts, leastCounted, weightOf, type Weight } from "../conformance/force.js";
import { judge, rulings, type OutcomeClass } from "../conformance/judge.js";
import type { Outcome, Output } from "../conformance/outcome.js";
import type { Check } from "../conformance/vectors.js";

/** What is demanded of a place; without a word on it, a specification says so. */
type Demand = Check extends infer C ? (C extends Check ? Omit<C, "force"> : never) : never;

function due(demand: Demand, force = "spec"): Check {
  return { ...demand, force } as Check;
}

const ACCEPT = due({ pointer: "/is", canonical: '"accept"' });
const REJECT = due({ pointer: "/is", canonical: '"reject"' });

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
  places: { kind: "value", text: '{"list":[],"object":{},"held":[[]]}' },
  stray: { kind: "stray", text: '{"a":1}' },
});

function check(outcome: Outcome, expect: readonly (readonly Check[])[], is: OutcomeClass): void {
  assert.equal(judge(expect, outcome).outcome, is);
}

describe("checks hold and fail", () => {
  const cases: readonly { readonly holds: Demand; readonly fails: Demand }[] = [
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
      holds: { pointer: "/out/report/a~1b/2", object: true },
      fails: { pointer: "/out/report/a~1b", object: true },
    },
    {
      holds: { pointer: "/out/report/a~1b", array: true },
      fails: { pointer: "/out/report/a~1b/2", array: true },
    },
    {
      holds: { pointer: "/out/report/a~1b", most: 3 },
      fails: { pointer: "/out/report/a~1b", most: 2 },
    },
    {
      holds: { pointer: "/out", within: ["count", "report", "more", "bytes", "places", "stray"] },
      fails: { pointer: "/out", within: ["report", "bytes", "count"] },
    },
    {
      holds: { pointer: "/out/report/a~1b/2", within: ["0"] },
      fails: { pointer: "/out/report/a~1b/2", within: [] },
    },
    // That something has to stand there is for another check to say.
    {
      holds: { pointer: "/out/report/c", within: [] },
      fails: { pointer: "/out/report/c", object: true },
    },
    {
      holds: { pointer: "/out/report", filled: ["a/b", "c"] },
      fails: { pointer: "/out/report", filled: ["a/b"] },
    },
    {
      holds: { pointer: "/out/places", filled: ["held"] },
      fails: { pointer: "/out/places", filled: ["list", "object"] },
    },
    {
      holds: { pointer: "/out/places/list", empty: true },
      fails: { pointer: "/out/places/held", empty: true },
    },
    {
      holds: { pointer: "/out/places/object", empty: true },
      fails: { pointer: "/out/count", empty: true },
    },
    {
      holds: { pointer: "/out/places/none", empty: true },
      fails: { pointer: "/out/places", empty: true },
    },
    {
      holds: { pointer: "/out/none", filled: [] },
      fails: { pointer: "/out/none", object: true },
    },
    { holds: { pointer: "/out/none", most: 0 }, fails: { pointer: "/out/none", array: true } },
    {
      holds: { pointer: "/out/report/a~1b/3", absent: true },
      fails: { pointer: "/out/report/a~1b/2", absent: true },
    },
  ];
  for (const { holds, fails } of cases) {
    test(JSON.stringify(holds), () => check(ANSWER, [[ACCEPT, due(holds)]], "PASS"));
    test(`not ${JSON.stringify(fails)}`, () =>
      check(ANSWER, [[ACCEPT, due(fails)]], "WRONG-OUTPUT"));
  }
});

describe("a document is spelled canonically, or is not", () => {
  const texts: readonly (readonly [string, OutcomeClass])[] = [
    ['{"a":[1.0,"\\n\\u001f\x7f\u00e9/"],"\uff61":-0,"\u{1f600}":{}}', "PASS"],
    ['{"a": 1}', "WRONG-OUTPUT"],
    ['{"b":1,"a":1}', "WRONG-OUTPUT"],
    ['{"\u{1f600}":1,"\uff61":1}', "WRONG-OUTPUT"],
    ['["\\u0041"]', "WRONG-OUTPUT"],
    ['["\\u000a"]', "WRONG-OUTPUT"],
    ["[", "WRONG-OUTPUT"],
  ];
  for (const [text, is] of texts) {
    test(text, () => {
      const answer = accepted({ report: { kind: "doc", text } });
      check(answer, [[ACCEPT, due({ pointer: "/out/report", spelled: true })]], is);
    });
  }
});

function nested(levels: number): string {
  return `${"[".repeat(levels)}${"]".repeat(levels)}`;
}

test("an output of the wrong kind is wrong, whatever it holds", () => {
  check(ANSWER, [[ACCEPT, due({ pointer: "/out/stray/a", canonical: "1" })]], "WRONG-OUTPUT");
  check(ANSWER, [[ACCEPT, due({ pointer: "/out/stray", object: true })]], "WRONG-OUTPUT");
});

test("128 levels read", () => {
  const answer = accepted({ report: { kind: "doc", text: nested(128) } });
  check(answer, [[ACCEPT, due({ pointer: "/out/report", canonical: nested(128) })]], "PASS");
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
      const demands: readonly Demand[] = [
        { pointer: "/out/report", canonical: '{"a":1}' },
        { pointer: "/out/report", object: true },
        { pointer: "/out/report", array: true },
      ];
      for (const demand of demands) {
        check(answer, [[ACCEPT, due(demand)]], "WRONG-OUTPUT");
      }
    });
  }
});

describe("classes", () => {
  const codes = due({ pointer: "/codes", codes: ["A_JSON", "A_LIMIT"] });
  const registered = due({ pointer: "/codes", registered: ["E_ONE"] });

  test("codes are a set", () =>
    check(rejected("A_LIMIT", "A_JSON", "A_JSON"), [[REJECT, codes]], "PASS"));
  test("of registered codes others say nothing", () => {
    check(rejected("E_ONE", "A_JSON", "law/one", "ABORT"), [[REJECT, registered]], "PASS");
    check(rejected("E_ONE", "E_TWO"), [[REJECT, registered]], "WRONG-CODE");
    check(rejected("A_JSON"), [[REJECT, registered]], "WRONG-CODE");
  });
  test("another code", () => check(rejected("A_JSON"), [[REJECT, codes]], "WRONG-CODE"));
  test("another verdict", () => check(ANSWER, [[REJECT, codes]], "WRONG-VERDICT"));
  test("a fault is not a rejection", () =>
    check({ is: "fault", message: "" }, [[REJECT, codes]], "FAULT"));
  test("a promise is kept", () => {
    check({ is: "unsupported", feature: "canon.bytes" }, [[REJECT, codes]], "BROKEN-PROMISE");
  });
});

describe("alternatives", () => {
  const json = [REJECT, due({ pointer: "/codes", codes: ["A_JSON"] })];
  const value = [REJECT, due({ pointer: "/codes", codes: ["A_VALUE"] })];

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

describe("weights", () => {
  function wrong(...forces: readonly string[]): Check[] {
    return forces.map((force) => due({ pointer: "/out/count", canonical: "1" }, force));
  }
  function weighs(checks: readonly Check[], weight: Weight, named: readonly string[]): void {
    const verdict = judge([checks], ANSWER);
    assert.equal(verdict.weight, weight);
    assert.deepEqual(rulings(verdict), named);
  }

  test("an answer weighs as its strongest failing check", () => {
    weighs(wrong("interface"), "interface", []);
    weighs(wrong("interface", "ruling EP-27", "ruling EP-26"), "ruling", ["EP-26", "EP-27"]);
    weighs(wrong("ruling EP-26", "spec", "interface"), "spec", ["EP-26"]);
  });
  test("a wrong verdict hides what stands beside it", () => {
    const verdict = due({ pointer: "/is", canonical: '"reject"' }, "interface");
    weighs([verdict, ...wrong("spec")], "interface", []);
  });
  test("of several alternatives the lightest counts", () => {
    const verdict = due({ pointer: "/is", canonical: '"reject"' }, "ruling EP-26");
    const { outcome, weight } = judge(
      [wrong("spec"), wrong("interface", "spec"), [verdict]],
      ANSWER,
    );
    assert.deepEqual([outcome, weight], ["WRONG-VERDICT", "ruling"]);
  });
  test("a pass weighs nothing, and what is not a judgement is against the specification", () => {
    assert.equal(judge([[ACCEPT]], ANSWER).weight, undefined);
    assert.equal(judge([[ACCEPT]], { is: "fault", message: "" }).weight, "spec");
    assert.equal(judge([[ACCEPT]], { is: "unsupported", feature: "" }).weight, "spec");
  });
  test("an unknown force is none", () => {
    for (const force of ["", "ruling", "ruling ", "spec EP-1", "Spec", "remark"]) {
      assert.throws(() => weightOf(force), /an unknown force/);
    }
  });
  test("what fails a test is said by the environment", () => {
    assert.deepEqual([undefined, "", "spec"].map(leastCounted), ["spec", "spec", "spec"]);
    assert.deepEqual(["ruling", "remark"].map(leastCounted), ["ruling", "interface"]);
    assert(counts("spec", "spec") && !counts("ruling", "spec"));
    assert(counts("ruling", "ruling") && !counts("interface", "ruling"));
    assert(counts("interface", "remark"));
  });
  test("an unknown word says what to write", () =>
    assert.throws(
      () => leastCounted("rulings"),
      /ASSIZE_FAIL_ON is "rulings": write one of spec, ruling, remark/,
    ));
});
