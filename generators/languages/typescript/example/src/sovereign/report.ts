import { canonicalDigest, SOVEREIGN } from "../canon/canonical.js";
import { LAW, parseJson } from "../json/reader.js";
import { array, NULL, type JsonObject, type JsonValue } from "../json/value.js";
import { outsideDomain } from "../reject.js";

/** Report identity: the digest of the report in which `report_id` and every diagnostic are null. */
export function reportIdentity(bytes: Uint8Array): string {
  const report = parseJson(bytes, LAW);
  if (report.kind !== "object") {
    throw outsideDomain("a report is an object");
  }
  const nulled = withNull(report, "report_id");
  const members = nulled.members.map(({ name, value }) => ({
    name,
    value: name === "mismatches" ? withoutDiagnostics(value) : value,
  }));
  return canonicalDigest({ kind: "object", members }, SOVEREIGN);
}

function withoutDiagnostics(mismatches: JsonValue): JsonValue {
  if (mismatches.kind !== "array") {
    throw outsideDomain("mismatches are an array");
  }
  const items = mismatches.items.map((mismatch) => {
    if (mismatch.kind !== "object") {
      throw outsideDomain("a mismatch is an object");
    }
    return withNull(mismatch, "diagnostic");
  });
  return array(items);
}

/** Nulls a member, adding it where it is absent. */
function withNull(value: JsonObject, name: string): JsonObject {
  const others = value.members.filter((candidate) => candidate.name !== name);
  return { kind: "object", members: [...others, { name, value: NULL }] };
}
