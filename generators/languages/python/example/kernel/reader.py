"""A JSON reader without recursion that keeps what `json` throws away: number tokens and repeated names.

Python's own reader would also take NaN, guess UTF-16, refuse integers of more than 4300 digits, and stop with a
RecursionError at a depth that depends on who calls it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kernel.errors import NotJson, TooDeep
from kernel.tree import Number, Object, Value, pointer

WHITE = re.compile(r"[ \t\n\r]*")
STRING = re.compile(r'"([^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*)"')
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
CONSTANT = re.compile(r"NaN|-?Infinity")
ESCAPE = re.compile(r"\\u([dD][89abAB]..)\\u([dD][c-fC-F]..)|\\u(....)|\\(.)")
SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
LITERALS: dict[str, Value] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True)
class Dialect:
    """How deep a text may nest, and whether NaN and the infinities are read as tokens."""

    depth: int
    constants: bool = False


STRICT = Dialect(depth=256)
# On canonical surfaces a constant is a banned number and not bad syntax, so it has to be read first.
LAW = Dialect(depth=256, constants=True)
EPISODE = Dialect(depth=512)
AUTHORITY = Dialect(depth=994, constants=True)


def read(octets: bytes, dialect: Dialect) -> Value:
    """The value of a document's exact bytes."""
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(str(error)) from error
    return _Reading(text, dialect).document()


class _Reading:
    """One text on its way to becoming a value."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.at = 0
        self.dialect = dialect
        self.open: list[Object | list[Value]] = []
        # The name of the member being read, one for each open object.
        self.names: list[str] = []

    def document(self) -> Value:
        self.skip_white()
        while True:
            value = self.begin()
            # Entering a container leaves its first value to be read; anything else ends here, with what it fills up.
            if not isinstance(value, _Entered) and self.end(value):
                break
        root = self.root
        if self.at != len(self.text):
            raise self.unexpected()
        return root

    def begin(self) -> Value | _Entered:
        """Reads a scalar or an empty container whole; of any other container only the way in."""
        letter = self.peek()
        if letter not in ("{", "["):
            return self.scalar()
        if len(self.open) == self.dialect.depth:
            raise TooDeep(self.dialect.depth, self.place())
        container: Object | list[Value] = Object([]) if letter == "{" else []
        self.step()
        if self.peek() == ("}" if letter == "{" else "]"):
            self.step()
            return container
        self.open.append(container)
        if isinstance(container, Object):
            self.name()
        return _Entered()

    def end(self, value: Value) -> bool:
        """Puts a complete value where it belongs; true when it is the document."""
        while self.open:
            container = self.open[-1]
            if isinstance(container, Object):
                container.pairs.append((self.names.pop(), value))
            else:
                container.append(value)
            letter = self.peek()
            if letter == ",":
                self.step()
                if isinstance(container, Object):
                    self.name()
                return False
            if letter != ("}" if isinstance(container, Object) else "]"):
                raise self.unexpected()
            self.step()
            value = self.open.pop()
        self.root = value
        return True

    def name(self) -> None:
        if self.peek() != '"':
            raise self.unexpected()
        self.names.append(self.string())
        if self.peek() != ":":
            raise self.unexpected()
        self.step()

    def scalar(self) -> Value:
        if self.peek() == '"':
            return self.string()
        for spelling, value in LITERALS.items():
            if self.text.startswith(spelling, self.at):
                self.at += len(spelling)
                self.skip_white()
                return value
        found = CONSTANT.match(self.text, self.at) if self.dialect.constants else None
        found = found or NUMBER.match(self.text, self.at)
        if not found:
            raise self.unexpected()
        self.at = found.end()
        self.skip_white()
        return Number(found.group())

    def string(self) -> str:
        found = STRING.match(self.text, self.at)
        if not found:
            raise self.unexpected()
        self.at = found.end()
        self.skip_white()
        body = found.group(1)
        return ESCAPE.sub(_unescaped, body) if "\\" in body else body

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def step(self) -> None:
        self.at += 1
        self.skip_white()

    def skip_white(self) -> None:
        found = WHITE.match(self.text, self.at)
        assert found is not None  # the pattern matches the empty text too
        self.at = found.end()

    def place(self) -> str:
        """The pointer of the value that is about to be read."""
        names = iter(self.names)
        steps = (next(names) if isinstance(container, Object) else len(container) for container in self.open)
        return pointer("", *steps)

    def unexpected(self) -> NotJson:
        return NotJson(f"unexpected {self.text[self.at : self.at + 10]!r} at character {self.at}")


class _Entered:
    """What begins where a container is entered: nothing that is complete yet."""


def _unescaped(found: re.Match[str]) -> str:
    high, low, unit, letter = found.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    # A surrogate that stands alone stays one: Python's strings can hold it, UTF-8 cannot.
    return chr(int(unit, 16)) if unit else SHORT.get(letter, letter)
