/** The package as its users have it: both kinds of module, its examples, and what it throws. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import * as verifier from "./verifier/index.js";

const required = createRequire(import.meta.url)("./cjs/verifier/index.js") as typeof verifier;

const canonical = (doc: verifier.Content) => verifier.canonBytes({ profile: "rfc8785", doc });

test("a document is written in canonical form, from text as from bytes", () => {
  for (const doc of ['{"b":1.0,"a":[]}', new TextEncoder().encode('{"b":1.0,"a":[]}')]) {
    const said = canonical(doc);
    assert(said.is === "accept");
    assert.equal(new TextDecoder().decode(said.out.bytes), '{"a":[],"b":1}');
  }
});

test("import and require are the same verifier", () => {
  const doc = "[3]";
  assert.deepEqual(required.canonBytes({ profile: "rfc8785", doc }), canonical(doc));
});

test("a rejection is a result", () => {
  const said = verifier.canonBytes({ profile: "sovereign", doc: '{"n":-0}' });
  assert.deepEqual([said.is, said.is === "reject" && said.codes], ["reject", ["E_CANONICALIZATION_ERROR"]]);
});

test("bytes that are not UTF-8 are rejected", () => {
  const said = canonical(Uint8Array.of(0x22, 0xff, 0x22));
  assert.equal(said.is, "reject");
});

test("what is no question is thrown, and the next question is answered", () => {
  assert.throws(() => canonical('"\ud800"'), verifier.QuestionError);
  const deep = "[".repeat(200_000);
  assert.throws(() => canonical(deep), (error) => error instanceof verifier.LimitError && error.kind === "depth");
  const large = new Uint8Array(300 * 1024 * 1024);
  assert.throws(() => canonical(large), (error) => error instanceof verifier.LimitError && error.kind === "size");
  for (const path of ["../up", "/root", "a//b", ""]) {
    assert.throws(() => verifier.episodeVerify({ files: { [path]: "" } }), verifier.QuestionError, path);
  }
  assert.equal(canonical("1").is, "accept");
});

test("files are a tree, and what changes of it comes back", () => {
  const operations = '[{"op":"write_file","path":"new/a","text":"x"}]';
  const said = verifier.kernelScenario({ operations, files: { kept: "k" } });
  assert.equal(said.is, "accept");
  assert.deepEqual(said.files, { new: { kind: "directory" }, "new/a": new Uint8Array(Buffer.from("x")) });
});

test("a link is followed within the tree, and nowhere else", () => {
  const selected = (to?: string) => {
    const files = { link: { kind: "symlink", to }, "d/turn": "{}" } as const;
    return verifier.sovereignSelectPath({ entry: '{"paths":["link"]}', files }).is;
  };
  assert.deepEqual(
    ["d/turn", "d/../d/turn", "d", "../d/turn", "/d/turn", "link", undefined].map(selected),
    ["accept", "accept", "reject", "reject", "reject", "reject", "reject"],
  );
});

test("a file may have any name that a file may have", () => {
  const operations = '[{"op":"write_file","path":"__proto__","text":"x"}]';
  const said = verifier.kernelScenario({ operations, files: { "a/__proto__": "k" } });
  assert.equal(said.is, "accept");
  assert.deepEqual(Object.entries(said.files), [["__proto__", new Uint8Array(Buffer.from("x"))]]);
});

test("an answer may be as deep as a document", () => {
  const data = `${'{"a":'.repeat(200)}1${"}".repeat(200)}`;
  const said = verifier.replyBuild({ script: `{"calls":[{"method":"success","data":${data}}]}` });
  assert(said.is === "accept");
  assert(JSON.stringify(said.out.results).includes(data));
});

test("an argument is one JSON value, whatever text is handed over", () => {
  const digests = (text: string) => verifier.sovereignBundle({ digests: new verifier.JsonText(text) } as never);
  assert.throws(() => digests('{}},"files":{}}\n'), verifier.QuestionError);
  assert.deepEqual(digests('{\n  "a": 1\n}'), digests('{"a":1}'));
});

test("a browser has neither Buffer nor process", () => {
  const module = JSON.stringify(new URL("./verifier/index.js", import.meta.url));
  const script = `
    delete globalThis.Buffer;
    delete globalThis.process;
    const verifier = await import(${module});
    await verifier.load();
    const said = verifier.canonBytes({ profile: "rfc8785", doc: "[1.0]" });
    if (new TextDecoder().decode(said.out.bytes) !== "[1]") throw new Error("another answer");
  `;
  execFileSync(process.execPath, ["--input-type=module", "--eval", script]);
});

test("memory does not grow with the number of questions", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    collect();
    return process.memoryUsage().external;
  };
  const doc = '{"a":[1,2,3]}';
  canonical(doc);
  const before = held();
  // What the core has grown to for a large question is not kept.
  canonical(`[${"1,".repeat(20 * 1024 * 1024)}1]`);
  for (let run = 0; run < 100_000; run += 1) {
    canonical(doc);
  }
  assert(held() < before + 64 * 1024 * 1024);
});
