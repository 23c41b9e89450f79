/** Folders on disk as trees, and what an operation changed of one written back: for Node alone. */

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  type Dirent,
} from "node:fs";
import { dirname, join } from "node:path";

import type { Changes, Content, FileTree, Other } from "./verifier/ask.js";

/**
 * All that lies in a folder. What is neither file, folder nor link, or cannot be read, stands as a
 * link that leads nowhere.
 */
export function readTree(folder: string): FileTree {
  const found: Record<string, Content | Other> = {};
  walk(folder, "", found);
  return found;
}

function walk(folder: string, below: string, found: Record<string, Content | Other>): void {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      found[path] = { kind: "directory" };
      walk(folder, path, found);
    } else {
      found[path] = content(entry, join(folder, path));
    }
  }
}

function content(entry: Dirent, place: string): Content | Other {
  try {
    if (entry.isFile()) {
      return readFileSync(place);
    }
    return { kind: "symlink", to: readlinkSync(place) };
  } catch {
    return { kind: "symlink" };
  }
}

/** Does to a folder what an operation did to its tree. */
export function writeChanges(folder: string, changes: Changes): void {
  for (const [path, change] of Object.entries(changes)) {
    const place = join(folder, path);
    if (change === null) {
      rmSync(place, { recursive: true, force: true });
    } else if (change instanceof Uint8Array) {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, change);
    } else {
      mkdirSync(place, { recursive: true });
    }
  }
}
