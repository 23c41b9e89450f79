"""A ledger as a chain of records, each of them hashed and linked to the one before."""

from __future__ import annotations

from dataclasses import replace

from kernel.canonical import AUTHORITY_PROFILE, digest
from kernel.errors import BadInput, NoForm, Refusal
from kernel.reader import AUTHORITY, read
from kernel.tree import Object, Value

RECORD = {"v", "ts", "kind", "parent", "payload", "payload_hash", "record_hash"}
METADATA = ("v", "ts", "kind", "parent", "payload_hash")

# The array takes a level of its own around the records.
LEDGER = replace(AUTHORITY, depth=AUTHORITY.depth + 1)


def check_chain(document: bytes) -> None:
    """Refuses a ledger at the first record that does not hold."""
    records = read(document, LEDGER)
    if not isinstance(records, list):
        raise BadInput("a ledger is an array of records")
    last: Value = None
    for record in records:
        last = _check(record, last)


def _check(record: Value, last: Value) -> Value:
    """The record's own hash, once the record holds after the one with the hash `last`."""
    if not isinstance(record, Object) or record.names() != RECORD:
        raise Refusal("authority/record-shape", f"a record has exactly the members {', '.join(sorted(RECORD))}")
    # As Python keeps them: of a repeated name the last value counts.
    members = dict(record.pairs)
    if members["payload_hash"] != _hash(members["payload"]):
        raise Refusal("authority/ledger-integrity", "payload_hash")
    if members["parent"] != last:
        raise Refusal("authority/parent-linkage", "parent")
    if members["record_hash"] != _hash(Object([(name, members[name]) for name in METADATA])):
        raise Refusal("authority/ledger-integrity", "record_hash")
    return members["record_hash"]


def _hash(value: Value) -> str:
    try:
        return digest(value, AUTHORITY_PROFILE)
    except NoForm as error:
        raise Refusal("authority/canonical-form", str(error)) from error
