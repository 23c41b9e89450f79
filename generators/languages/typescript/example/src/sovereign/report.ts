import { canonicalDigest, canonicalText, SOVEREIGN } from "../canon/canonical.js";
import { LAW, parseJson } from "../json/reader.js";
import {
  array,
  integer,
  NULL,
  object,
  text,
  type JsonObject,
  type JsonValue,
} from "../json/value.js";
import { outsideDomain } from "../reject.js";
import { compareKeys, type OrderKey, type StageOrder } from "./ordering.js";

export type Status = "EQUIVALENT" | "DIVERGENT" | "ERROR";

export type Surface = "bundle_digest" | "decision_record" | "issue" | "schema" | "transition";

export type Reason =
  | "E_CANONICALIZATION_ERROR"
  | "E_REPLAY_INPUT_MISSING"
  | "E_REPLAY_VERSION_MISMATCH"
  | "E_REPLAY_EQUIVALENCE_FAILED"
  | "E_REGISTRY_DIGEST_MISMATCH";

/** Text for people: no part of a report's identity. */
export interface Diagnostic {
  readonly law: string;
  readonly side: string;
  readonly message: string;
}

/** One row of a report. */
export interface Mismatch extends OrderKey {
  readonly surface: Surface;
  readonly reason: Reason | null;
  readonly diagnostic: Diagnostic | null;
}

/** The report of a comparison as canonical text, without a final line feed. */
export function reportText(
  runId: string,
  status: Status,
  rows: readonly Mismatch[],
  stages: StageOrder,
): string {
  const sorted = rows.toSorted((a, b) => compareKeys(a, b, stages));
  const members = {
    contract_version: text("kernel_api/v1"),
    exit_code: integer(status === "EQUIVALENT" ? "0" : "1"),
    mismatches: array(sorted.map(mismatchValue)),
    run_id: text(runId),
    status: text(status),
  };
  const reportId = text(identity(object(members)));
  return canonicalText(object({ ...members, report_id: reportId }), SOVEREIGN);
}

function mismatchValue(row: Mismatch): JsonObject {
  return object({
    turn_id: text(row.turnId),
    stage_name: text(row.stageName),
    ordinal: integer(row.ordinal),
    surface: text(row.surface),
    path: text(row.path),
    expected_digest: nullable(row.expected),
    actual_digest: nullable(row.actual),
    reason_code: nullable(row.reason),
    diagnostic: row.diagnostic === null ? NULL : diagnosticValue(row.diagnostic, row.reason),
  });
}

function diagnosticValue({ law, side, message }: Diagnostic, code: Reason | null): JsonObject {
  return object({
    law: text(law),
    code: nullable(code),
    side: text(side),
    message: text(message.toWellFormed()),
  });
}

function nullable(value: string | null): JsonValue {
  return value === null ? NULL : text(value);
}

/** Report identity: the digest of the report in which `report_id` and every diagnostic are null. */
function identity(report: JsonObject): string {
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

/** The identity of a report that somebody else wrote; the one that it carries does not matter. */
export function reportIdentity(bytes: Uint8Array): string {
  const report = parseJson(bytes, LAW);
  if (report.kind !== "object") {
    throw outsideDomain("a report is an object");
  }
  return identity(report);
}
