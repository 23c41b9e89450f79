import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

/** Serves turn files. */
export interface Files {
  /** The bytes of a regular file, or undefined where the path cannot be opened and read. */
  read(path: string): Uint8Array | undefined;
}

/**
 * Serves the regular files below a folder and nothing else, whatever dots and links a path holds.
 */
export function openFolder(root: string): Files {
  const top = realpathSync(root);
  return {
    read(path) {
      if (!isName(path) || isAbsolute(path)) {
        return undefined;
      }
      try {
        // `join` would fold "x/../a" and drop the slash of "a/"; the system asks for a folder
        // there.
        return readRegular(top, realpathSync.native(`${top}${sep}${path}`));
      } catch {
        return undefined;
      }
    },
  };
}

/** No system has a file of this name: Node would ask for U+FFFD in place of a lone surrogate. */
function isName(path: string): boolean {
  return path !== "" && !path.includes("\0") && path.isWellFormed();
}

function readRegular(top: string, path: string): Uint8Array | undefined {
  const inside = relative(top, path);
  if (inside === ".." || inside.startsWith(join("..", sep)) || isAbsolute(inside)) {
    return undefined;
  }
  // A pipe must not block, so nothing is waited for.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
