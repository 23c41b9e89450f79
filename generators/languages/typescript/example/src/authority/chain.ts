import { canonicalDigest, canonicalText, NoCanonicalForm, PYTHON } from "../canon/canonical.js";
import { AUTHORITY, parseJson } from "../json/reader.js";
import { NULL, object, text, type JsonValue } from "../json/value.js";
import { outsideDomain, Rejection } from "../reject.js";

const MEMBERS = ["v", "ts", "kind", "parent", "payload", "payload_hash", "record_hash"] as const;

type EvidenceRecord = Readonly<Record<(typeof MEMBERS)[number], JsonValue>>;

/** Judges a ledger as a chain of records; the first failure is the verdict. */
export function checkChain(records: Uint8Array): void {
  const ledger = parseJson(records, AUTHORITY);
  if (ledger.kind !== "array") {
    throw outsideDomain("a ledger is an array of records");
  }
  let previous = NULL;
  for (const item of ledger.items) {
    const record = evidenceRecord(item);
    checkRecord(record, previous);
    previous = record.record_hash;
  }
}

/** A record is exactly its seven members; of repeated ones the last counts. */
function evidenceRecord(value: JsonValue): EvidenceRecord {
  const members = value.kind === "object" ? value.members : [];
  const record = Object.fromEntries(members.map(({ name, value: inner }) => [name, inner]));
  if (!isEvidenceRecord(record)) {
    throw new Rejection("authority/record-shape", `a record has the members ${MEMBERS.join(", ")}`);
  }
  return record;
}

function isEvidenceRecord(record: Readonly<Record<string, JsonValue>>): record is EvidenceRecord {
  const names = Object.keys(record);
  return names.length === MEMBERS.length && MEMBERS.every((name) => Object.hasOwn(record, name));
}

/** The kernel's three comparisons, in its order. */
function checkRecord(record: EvidenceRecord, previous: JsonValue): void {
  if (!isText(record.payload_hash, canonicalDigest(record.payload, PYTHON))) {
    throw new Rejection(
      "authority/ledger-integrity",
      "payload_hash is not the hash of the payload",
    );
  }
  if (!isSame(record.parent, previous)) {
    throw new Rejection(
      "authority/parent-linkage",
      "parent is not the record_hash of the record before",
    );
  }
  const { v, ts, kind, parent, payload_hash } = record;
  const metadata = object({ v, ts, kind, parent, payload_hash });
  if (!isText(record.record_hash, canonicalDigest(metadata, PYTHON))) {
    throw new Rejection(
      "authority/ledger-integrity",
      "record_hash is not the hash of the five other members",
    );
  }
}

function isText(value: JsonValue, expected: string): boolean {
  return isSame(value, text(expected));
}

/** Equal canonical forms; what has none equals nothing. */
function isSame(a: JsonValue, b: JsonValue): boolean {
  try {
    return canonicalText(a, PYTHON) === canonicalText(b, PYTHON);
  } catch (error) {
    if (error instanceof NoCanonicalForm) {
      return false;
    }
    throw error;
  }
}
