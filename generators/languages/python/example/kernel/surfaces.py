"""Which places belong to which surface, which of them parity covers, and what no canonical surface may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from kernel.tree import Number, Object, Value, is_text, is_within, pointer, repeated, walk

BUNDLE_DIGEST = "bundle_digest"
DECISION = "decision_record"
ISSUE = "issue"
SCHEMA = "schema"
TRANSITION = "transition"

# The kinds of what has no canonical form, and what to do about each.
FLOAT, SURROGATE, REPEATED = "float", "surrogate", "repeated"
HELP = {
    FLOAT: "no integer: write fractions as strings or in fixed point",
    SURROGATE: "a surrogate stands alone: there is no UTF-8 for it",
    REPEATED: "the name is repeated: use each name once",
}

# The most places that are named of one document.
MOST = 1000

# The issue member that never matters.
MESSAGE = "message"


def in_bundle(place: str) -> str:
    """The surface of a place in a bundle."""
    steps = place.split("/")[1:]
    is_entry = len(steps) > 2 and steps[0] == "turn_results" and steps[2] == "turn_result_digest"
    is_digest = is_entry or is_within(place, "/registry_digest") or place.startswith("/digests/")
    return BUNDLE_DIGEST if is_digest else SCHEMA


def in_turn(place: str) -> str:
    """The surface of a place in a turn file."""
    if is_within(place, "/transition"):
        return TRANSITION
    if is_within(place, "/capabilities/decisions"):
        return DECISION
    return ISSUE if is_within(place, "/issues") else SCHEMA


def is_canonical(place: str) -> bool:
    """Whether the canonical form of a place in a turn file matters: events and messages never do."""
    match place.split("/")[1:]:
        case ["transition", name, *_]:
            return name.endswith("_digest")
        case ["capabilities", "decisions", _, *_]:
            return True
        case ["issues", _, *rest]:
            return rest[:1] != [MESSAGE]
    return False


@dataclass(frozen=True)
class Banned:
    """A place without canonical form."""

    kind: str
    pointer: str

    @property
    def law(self) -> str:
        """The law that it breaks."""
        return "sovereign/float-ban" if self.kind == FLOAT else "sovereign/canonical-parity"


def banned(value: Value, place: str, matters: Callable[[Banned], bool]) -> list[Banned]:
    """What has no canonical form at or below a place, as far as it matters, up to MOST of it."""
    return list(islice(filter(matters, _every_banned(value, place)), MOST))


def repeated_names(value: Value, place: str) -> Iterator[Banned]:
    """The names that one object has more than once."""
    for name in sorted(repeated(value)):
        yield Banned(REPEATED, pointer(place, name))


def constant_outside(value: Value, on_surface: Callable[[str], bool]) -> str | None:
    """Where NaN or an infinity stands that no float ban covers: there the text is not JSON."""
    return next((at for at, item in walk(value) if _is_constant(item) and not on_surface(at)), None)


def _is_constant(value: Value) -> bool:
    return isinstance(value, Number) and value.is_constant


def _every_banned(value: Value, place: str) -> Iterator[Banned]:
    for at, item in walk(value, place):
        if isinstance(item, Object):
            yield from repeated_names(item, at)
            for name, _ in item.pairs:
                if not is_text(name):
                    yield Banned(SURROGATE, pointer(at, name))
        elif isinstance(item, str) and not is_text(item):
            yield Banned(SURROGATE, at)
        elif isinstance(item, Number) and item.is_banned:
            yield Banned(FLOAT, at)
