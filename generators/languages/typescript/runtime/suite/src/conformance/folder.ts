/** The folder of a case: laid out afresh, and removed whatever happens. */

import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import type { Case, FileEntry } from "./vectors.js";

/** This machine cannot show what the case is about. */
export class CannotLayOut extends Error {
  override readonly name = "CannotLayOut";
}

export async function withFolder<T>(
  { root, files }: Case,
  use: (root: string | undefined) => Promise<T>,
): Promise<T> {
  if (!root) {
    return use(undefined);
  }
  for (const { path } of files) {
    stayInside(path);
  }
  const folder = mkdtempSync(join(tmpdir(), "assize-"));
  try {
    for (const entry of files) {
      layOut(folder, entry);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function stayInside(path: string): void {
  // What this system takes for more than a name, as it may a drive, is none.
  const isName = (name: string) => !["", ".", ".."].includes(name) && basename(name) === name;
  if (path.includes("\0") || !path.split("/").every(isName)) {
    throw new Error(`files: ${JSON.stringify(path)} is not a relative path of plain names`);
  }
}

function layOut(folder: string, entry: FileEntry): void {
  let path = folder;
  for (const name of entry.path.split("/")) {
    path = join(path, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new Error(`files: ${JSON.stringify(entry.path)} leads through a link of the same case`);
    }
  }
  mkdirSync(dirname(path), { recursive: true });
  switch (entry.kind) {
    case "directory":
      mkdirSync(path, { recursive: true });
      break;
    case "symlink":
      symlinkSync(entry.to, path);
      break;
    case "file":
      writeFileSync(path, entry.base64, "base64");
      break;
    case "unreadable":
      writeFileSync(path, entry.base64, "base64");
      chmodSync(path, 0);
      if (isReadable(path)) {
        throw new CannotLayOut("file permissions do not bind this user");
      }
      break;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
