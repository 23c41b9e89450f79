import { parseJson, STRICT } from "../json/reader.js";
import { outsideDomain } from "../reject.js";

/** Deny precedence: of the conditions that hold, the first in this list gives the code. */
const PRECEDENCE: readonly string[] = [
  "E_SIDE_EFFECT_UNDECLARED",
  "E_CAPABILITY_DENIED",
  "E_PERMISSION_DENIED",
];

export function denyCode(conditions: Uint8Array): string | null {
  const document = parseJson(conditions, STRICT);
  if (document.kind !== "array") {
    throw outsideDomain("conditions are an array of deny codes");
  }
  const codes = document.items.map((item) => {
    if (item.kind !== "string" || !PRECEDENCE.includes(item.value)) {
      throw outsideDomain(`a condition is one of ${PRECEDENCE.join(", ")}`);
    }
    return item.value;
  });
  return PRECEDENCE.find((code) => codes.includes(code)) ?? null;
}
