/** The package as its users have it: both kinds of module, its examples, and what it throws. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

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

test("memory does not grow with the number of questions", () => {
  const doc = '{"a":[1,2,3]}';
  canonical(doc);
  const before = process.memoryUsage().arrayBuffers;
  for (let run = 0; run < 20_000; run += 1) {
    canonical(doc);
  }
  assert(process.memoryUsage().arrayBuffers < before + 64 * 1024 * 1024);
});
