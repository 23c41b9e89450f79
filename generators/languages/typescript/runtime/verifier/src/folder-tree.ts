/** Folders on disk as trees, and what an operation changed of one written back: for Node alone. */

import {
  lstatSync,
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
 * All that lies in a folder. What is neither file, folder nor link, or a file that cannot be read,
 * stands as a link that leads nowhere; a folder that cannot be read is an error.
 */
export function readTree(folder: string): FileTree {
  // Not by assignment, which a file of the name `__proto__` would be lost by.
  return Object.fromEntries(walk(folder, ""));
}

function walk(folder: string, below: string): [string, Content | Other][] {
  const entries = readdirSync(join(folder, below), { withFileTypes: true });
  return entries.flatMap((entry): [string, Content | Other][] => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory()
      ? [[path, { kind: "directory" }], ...walk(folder, path)]
      : [[path, content(entry, join(folder, path))]];
  });
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

/** Does to a folder what an operation did to its tree: what goes goes first, so that no link is written through. */
export function writeChanges(folder: string, changes: Changes): void {
  const entries = Object.entries(changes).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, change] of entries) {
    if (change === null || lstatSync(join(folder, path), { throwIfNoEntry: false })?.isSymbolicLink()) {
      rmSync(join(folder, path), { recursive: true, force: true });
    }
  }
  for (const [path, change] of entries) {
    const place = join(folder, path);
    if (change instanceof Uint8Array) {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, change);
    } else if (change !== null) {
      mkdirSync(place, { recursive: true });
    }
  }
}
