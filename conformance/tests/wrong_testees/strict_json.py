"""A JSON reader that keeps what canonical forms need and Python's `json` throws away: number tokens and repeated names.

It reads strict RFC 8259 over strict UTF-8. A dialect may also read the three constants, and limits the depth.
"""

import re
from typing import Any, List, NamedTuple, Tuple

WHITE = re.compile(r"[ \t\n\r]*")
PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
CONSTANT = re.compile(r"-?Infinity|NaN")
HEX = re.compile(r"[0-9a-fA-F]{4}")
LITERALS = {"true": True, "false": False, "null": None}
SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class NotJson(Exception):
    """The text is not JSON in its dialect."""


class TooDeep(Exception):
    """The text opens more containers than its dialect allows."""


class Number(NamedTuple):
    """A number as it is spelled: the reader never computes."""

    token: str

    @property
    def is_float(self):
        """Whether the spelling has a fraction or an exponent, or is a constant."""
        return not self.token.lstrip("-").isdigit()


class Members(NamedTuple):
    """An object's members in their order, repeated names and all."""

    pairs: List[Tuple[str, Any]]


class Reader:
    """Reads one document."""

    def __init__(self, text, depth, constants):
        self.text = text
        self.at = 0
        self.depth = depth
        self.constants = constants

    def document(self):
        """The value of the whole text."""
        self.white()
        value = self.value(0)
        if self.at != len(self.text):
            raise NotJson(f"text after the document at {self.at}")
        return value

    def white(self):
        self.at = WHITE.match(self.text, self.at).end()

    def peek(self):
        return self.text[self.at : self.at + 1]

    def expect(self, letter):
        if self.peek() != letter:
            raise NotJson(f"{letter!r} is missing at {self.at}")
        self.at += 1
        self.white()

    def value(self, level):
        letter = self.peek()
        if letter in ("{", "["):
            if level == self.depth:
                raise TooDeep(f"more than {self.depth} levels")
            return self.object(level + 1) if letter == "{" else self.array(level + 1)
        value = self.string() if letter == '"' else self.scalar()
        self.white()
        return value

    def object(self, level):
        pairs = []
        self.expect("{")
        while self.peek() != "}":
            if pairs:
                self.expect(",")
            if self.peek() != '"':
                raise NotJson(f"a name is missing at {self.at}")
            name = self.string()
            self.white()
            self.expect(":")
            pairs.append((name, self.value(level)))
        self.expect("}")
        return Members(pairs)

    def array(self, level):
        items = []
        self.expect("[")
        while self.peek() != "]":
            if items:
                self.expect(",")
            items.append(self.value(level))
        self.expect("]")
        return items

    def scalar(self):
        for spelling, value in LITERALS.items():
            if self.text.startswith(spelling, self.at):
                self.at += len(spelling)
                return value
        found = CONSTANT.match(self.text, self.at) if self.constants else None
        found = found or NUMBER.match(self.text, self.at)
        if not found:
            raise NotJson(f"no value at {self.at}")
        self.at = found.end()
        return Number(found.group())

    def string(self):
        parts = []
        self.at += 1
        while True:
            plain = PLAIN.match(self.text, self.at)
            parts.append(plain.group())
            self.at = plain.end() + 1
            end = self.text[plain.end() : self.at]
            if end == '"':
                return "".join(parts)
            if end != "\\":
                raise NotJson(f"a string is cut short by {end!r}")
            parts.append(self.escape())

    def escape(self):
        letter = self.peek()
        self.at += 1
        if letter != "u":
            if letter not in SHORT:
                raise NotJson(f"no escape: {letter!r}")
            return SHORT[letter]
        first = self.unit()
        if 0xD800 <= first < 0xDC00 and self.text.startswith("\\u", self.at):
            before, self.at = self.at, self.at + 2
            second = self.unit()
            if 0xDC00 <= second < 0xE000:
                return chr(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
            self.at = before
        return chr(first)

    def unit(self):
        found = HEX.match(self.text, self.at)
        if not found:
            raise NotJson(f"four hexadecimal digits are missing at {self.at}")
        self.at = found.end()
        return int(found.group(), 16)


def read(octets, depth, constants):
    """The value of a document's bytes."""
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(str(error)) from error
    return Reader(text, depth, constants).document()
