/** The folder of a case: laid out afresh, and removed whatever happens. */

import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

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

function layOut(folder: string, entry: FileEntry): void {
  const path = join(folder, entry.path);
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
