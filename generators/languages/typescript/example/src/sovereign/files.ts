import { closeSync, constants, fstatSync, openSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

/** Whether a path leads to a regular file that can be opened. */
export type IsReadable = (path: string) => boolean;

/**
 * Finds the regular files below a folder and nothing else, whatever dots and links a path holds.
 */
export function openFolder(root: string): IsReadable {
  const top = realpathSync(root);
  return (path) => {
    if (!isName(path) || isAbsolute(path)) {
      return false;
    }
    try {
      // `join` would fold "x/../a" and drop the slash of "a/"; the system asks for a folder there.
      return isRegular(top, realpathSync.native(`${top}${sep}${path}`));
    } catch {
      return false;
    }
  };
}

/** No system has a file of this name: Node would ask for U+FFFD in place of a lone surrogate. */
function isName(path: string): boolean {
  return path !== "" && !path.includes("\0") && path.isWellFormed();
}

function isRegular(top: string, path: string): boolean {
  const inside = relative(top, path);
  if (inside === ".." || inside.startsWith(join("..", sep)) || isAbsolute(inside)) {
    return false;
  }
  // A pipe must not block, so nothing is waited for.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return fstatSync(file).isFile();
  } finally {
    closeSync(file);
  }
}
