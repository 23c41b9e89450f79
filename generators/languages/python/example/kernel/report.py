"""The replay report: rows in their order, the report's identity, and its canonical text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kernel.breach import CANONICALIZATION, Breach, merged
from kernel.canonical import SOVEREIGN_PROFILE, canonical
from kernel.contracts import KERNEL_VERSION
from kernel.identity import report_id_of
from kernel.stages import mismatch_order
from kernel.tree import Number, Object, Value

EQUIVALENCE_FAILED = "E_REPLAY_EQUIVALENCE_FAILED"
VERSION_MISMATCH = "E_REPLAY_VERSION_MISMATCH"
REGISTRY_MISMATCH = "E_REGISTRY_DIGEST_MISMATCH"


@dataclass(frozen=True)
class Row:
    """One mismatch."""

    surface: str
    path: str
    expected: str | None
    actual: str | None
    reason: str | None = EQUIVALENCE_FAILED
    turn_id: str = ""
    stage: str = "replay"
    ordinal: str = "0"
    diagnostic: Object | None = None

    @classmethod
    def of(cls, breach: Breach) -> Row:
        """The row of a breach."""
        diagnostic = {"law": breach.law, "code": breach.reason, "side": breach.side, "message": breach.message}
        return cls(
            breach.surface,
            breach.path,
            None,
            None,
            breach.reason,
            breach.turn_id,
            stage="determinism" if breach.reason == CANONICALIZATION else "replay",
            diagnostic=_object(diagnostic),
        )

    def as_object(self) -> Object:
        """The row as the report holds it."""
        return _object(
            {
                "turn_id": self.turn_id,
                "stage_name": self.stage,
                "ordinal": Number(self.ordinal),
                "surface": self.surface,
                "path": self.path,
                "expected_digest": self.expected,
                "actual_digest": self.actual,
                "reason_code": self.reason,
                "diagnostic": self.diagnostic,
            }
        )


def report(run_id: str, breaches: list[Breach], rows: list[Row], stages: dict[str, int]) -> str:
    """The canonical text of a report: breaches make it an ERROR, rows alone DIVERGENT."""
    status = "ERROR" if breaches else "DIVERGENT" if rows else "EQUIVALENT"
    rows = rows + [Row.of(breach) for breach in merged(breaches)]
    unknown = len(stages)
    rows.sort(
        key=lambda row: mismatch_order(
            row.turn_id,
            stages.get(row.stage, unknown),
            row.ordinal,
            row.surface,
            row.path,
            row.expected,
            row.actual,
        )
    )
    members: dict[str, Value] = {
        "contract_version": KERNEL_VERSION,
        "run_id": run_id,
        "status": status,
        "exit_code": Number("0" if status == "EQUIVALENT" else "1"),
        "mismatches": [row.as_object() for row in rows],
    }
    members["report_id"] = report_id_of(_object(members))
    return canonical(_object(members), SOVEREIGN_PROFILE).decode("utf-8")


def _object(members: Mapping[str, Value]) -> Object:
    return Object(list(members.items()))
