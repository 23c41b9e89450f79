import { compareCodePoints } from "../json/order.js";
import { parseJson, STRICT } from "../json/reader.js";
import { member, type JsonValue } from "../json/value.js";
import { outsideDomain, Rejection } from "../reject.js";
import type { IsReadable } from "./files.js";

/** Path selection: of the paths in code point order, the first that can be read. */
export function selectPath(entry: Uint8Array, isReadable: IsReadable): string {
  const paths = stringItems(member(parseJson(entry, STRICT), "paths"));
  if (paths === undefined) {
    throw outsideDomain("a turn entry has an array of strings `paths`");
  }
  const selected = paths.toSorted(compareCodePoints).find(isReadable);
  if (selected === undefined) {
    throw new Rejection("E_REPLAY_INPUT_MISSING", "none of the paths can be read");
  }
  return selected;
}

/** The items of an array that holds strings alone. */
export function stringItems(value: JsonValue | undefined): string[] | undefined {
  if (value?.kind !== "array") {
    return undefined;
  }
  const texts = value.items.flatMap((item) => (item.kind === "string" ? [item.value] : []));
  return texts.length === value.items.length ? texts : undefined;
}
