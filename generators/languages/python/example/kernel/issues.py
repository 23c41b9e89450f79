"""Issues as a multimap: they meet by stage, location, code and details, and their number counts."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from kernel.report import Row
from kernel.surfaces import ISSUE

# Stands for a side that has no issue in the bucket.
MISSING_LIST = b'[{"_missing":true}]'


@dataclass(frozen=True)
class Issue:
    """An issue on its canonical surface: `details` and `normal` are canonical bytes, without the message."""

    stage: str
    location: str
    code: str
    details: bytes
    normal: bytes

    @property
    def digest(self) -> str:
        """The digest under which equal issues meet."""
        return hashlib.sha256(self.normal).hexdigest()


def compare_issues(turn_id: str, a: list[Issue], b: list[Issue]) -> Iterator[Row]:
    """A row for each bucket of another size, and for each pair that is left over in one of the same size."""
    buckets: defaultdict[tuple[str, str, str, bytes], tuple[list[Issue], list[Issue]]] = defaultdict(lambda: ([], []))
    for side, issues in enumerate((a, b)):
        for issue in sorted(issues, key=lambda issue: issue.digest):
            buckets[issue.stage, issue.location, issue.code, issue.details][side].append(issue)
    for (stage, location, _, _), (in_a, in_b) in buckets.items():
        if len(in_a) != len(in_b):
            yield Row(ISSUE, location, _list_digest(in_a), _list_digest(in_b), turn_id=turn_id)
            continue
        digests_a, digests_b = (Counter(issue.digest for issue in issues) for issues in (in_a, in_b))
        left_a, left_b = (sorted(left.elements()) for left in (digests_a - digests_b, digests_b - digests_a))
        for expected, actual in zip(left_a, left_b, strict=True):
            yield Row(ISSUE, location, expected, actual, turn_id=turn_id, stage=stage)


def _list_digest(issues: list[Issue]) -> str:
    normal = b"[" + b",".join(issue.normal for issue in issues) + b"]"
    return hashlib.sha256(normal if issues else MISSING_LIST).hexdigest()
