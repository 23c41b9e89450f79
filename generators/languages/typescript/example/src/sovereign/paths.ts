import { compareCodePoints } from "../json/order.js";
import { parseJson, STRICT } from "../json/reader.js";
import { member, type JsonValue } from "../json/value.js";
import { outsideDomain, Rejection } from "../reject.js";
import type { Files } from "./files.js";

export interface Selected {
  /** As the entry spells it. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Path selection: paths are tried in code point order, and the first that can be read wins,
 * whatever it holds.
 */
export function firstReadable(paths: readonly string[], files: Files): Selected | undefined {
  for (const path of paths.toSorted(compareCodePoints)) {
    const bytes = files.read(path);
    if (bytes !== undefined) {
      return { path, bytes };
    }
  }
  return undefined;
}

export function selectPath(entry: Uint8Array, files: Files): string {
  const paths = stringItems(member(parseJson(entry, STRICT), "paths"));
  if (paths === undefined) {
    throw outsideDomain("a turn entry has an array of strings `paths`");
  }
  const selected = firstReadable(paths, files);
  if (selected === undefined) {
    throw new Rejection("E_REPLAY_INPUT_MISSING", "none of the paths can be read");
  }
  return selected.path;
}

/** The items of an array that holds strings alone. */
export function stringItems(value: JsonValue | undefined): string[] | undefined {
  if (value?.kind !== "array") {
    return undefined;
  }
  const texts = value.items.flatMap((item) => (item.kind === "string" ? [item.value] : []));
  return texts.length === value.items.length ? texts : undefined;
}
