/** The folder of a case: nothing is written outside. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { withFolder } from "../conformance/folder.js";
import type { Case, FileEntry } from "../conformance/vectors.js";

function layOut(...files: readonly FileEntry[]): Promise<string[]> {
  const one = { root: true, files } as unknown as Case;
  return withFolder(one, async (root) => readdirSync(root ?? ""));
}

function file(path: string): FileEntry {
  return { path, kind: "file", base64: "" };
}

function temporary(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "assize-test-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("no path leaves the folder", async (context) => {
  const outside = temporary(context);
  const absolute = join(outside, "x");
  const paths = ["", "/", absolute, ".", "..", "../x", "a/../../x", "./x", "a/./x", "a//x", "a/"];
  for (const path of [...paths, "a\0b"]) {
    const message = `files: ${JSON.stringify(path)} is not a relative path of plain names`;
    await assert.rejects(layOut(file("first"), file(path)), { message });
  }
  assert.deepEqual(readdirSync(outside), []);
});

test("nothing is written through a link", async (context) => {
  const outside = temporary(context);
  const links: readonly FileEntry[] = [
    { path: "d", kind: "symlink", to: outside },
    { path: "f", kind: "symlink", to: join(outside, "x") },
  ];
  assert.deepEqual(await layOut(...links), ["d", "f"], "a link may lead anywhere");
  const entries: readonly FileEntry[] = [
    file("d/x"),
    { path: "d/x/y", kind: "directory" },
    { path: "d/x", kind: "symlink", to: "y" },
    file("f"),
    { path: "f", kind: "unreadable", base64: "" },
  ];
  for (const entry of entries) {
    const message = `files: ${JSON.stringify(entry.path)} leads through a link of the same case`;
    await assert.rejects(layOut(...links, entry), { message });
  }
  assert.deepEqual(readdirSync(outside), []);
});
