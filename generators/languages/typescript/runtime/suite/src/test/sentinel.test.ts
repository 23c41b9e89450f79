/** Nothing goes missing: vectors, test files and cases are those of the manifest. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { declaresNothing, NOTHING_DECLARED, plain } from "../conformance/declaration.js";
import { testFile } from "../conformance/failure.js";
import { chooseSubject } from "../conformance/subject.js";
import { readCases, readManifest, VECTORS } from "../conformance/vectors.js";

const manifest = readManifest();

/** Test files that belong to no law. */
const OWN = ["folder.test.js", "judge.test.js", "sentinel.test.js"];

test("every vector file is the one that the manifest describes", () => {
  const files = readdirSync(VECTORS, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => file.replaceAll("\\", "/"));
  assert.deepEqual(found.sort(), manifest.laws.map(({ slug }) => `${slug}.jsonl`).sort());
  const ids = manifest.laws.flatMap((law) => readCases(law).map(({ id }) => id));
  assert.equal(ids.length, manifest.total);
  assert.equal(new Set(ids).size, manifest.total, "an id is used twice");
});

test("every law has its test file, and no test file is left over", () => {
  const files = readdirSync(new URL(".", import.meta.url)).filter((file) =>
    file.endsWith(".test.js"),
  );
  const laws = manifest.laws.map(({ slug }) => testFile(slug));
  assert.deepEqual(files.sort(), [...laws, ...OWN].sort());
  for (const { slug } of manifest.laws) {
    const text = readFileSync(new URL(testFile(slug), import.meta.url), "utf8");
    assert(text.includes(`describeLaw("${slug}")`), `${testFile(slug)} does not run ${slug}`);
  }
  const all = readFileSync(new URL("../all.js", import.meta.url), "utf8");
  for (const file of files) {
    assert(all.includes(`"./test/${file}"`), `npm test leaves ${file} out`);
  }
});

test("every known failure names a case", () => {
  const ids = new Set(manifest.laws.flatMap((law) => readCases(law).map(({ id }) => id)));
  assert.deepEqual(
    manifest.known.filter(({ id }) => !ids.has(id)),
    [],
  );
});

test("something is declared", async () => {
  const subject = await chooseSubject();
  await subject.close();
  assert(!declaresNothing(plain(subject.declared)), NOTHING_DECLARED);
});
