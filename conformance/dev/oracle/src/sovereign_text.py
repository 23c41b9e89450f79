"""A second source for the sovereign system, continued: JSON texts as a comparison reads them. See `sovereign.py`.

A text is read without recursion, up to the first value that is nested too deep, and integers keep their digits, so that
those of any length have an answer. Where that value and the constants that are no JSON stand is told by place.
"""

import json
import re
from json.decoder import scanstring

from sovereign import SURROGATE, Banned, Object, sha256

LEVELS = 256
SPACE = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
WORDS = {"true": True, "false": False, "null": None}
CONSTANTS = ("NaN", "Infinity", "-Infinity")
# More digits than Python reads and writes at once; arithmetic has no limit.
DIGITS = 4000


class Whole(int):
    """An integer with the digits that stand in the text."""

    def __new__(cls, token):
        value, digits = 0, token.lstrip("-")
        for start in range(0, len(digits), DIGITS):
            piece = digits[start : start + DIGITS]
            value = value * 10 ** len(piece) + int(piece)
        made = super().__new__(cls, -value if token.startswith("-") else value)
        made.token = token
        return made


class NoJson(Exception):
    """What was to be read is no JSON text."""


class Text:
    """A JSON text: its value, the places of its constants, and that of the first value that is nested too deep."""

    def __init__(self, octets):
        try:
            self.text = octets.decode("utf-8")
        except UnicodeDecodeError:
            raise NoJson from None
        self.constants, self.deep = [], None
        # Containers that are open: what they hold so far, with the name of the member that is read (None in an array).
        self.open = []
        self.value = self.read()

    def place(self):
        return tuple(len(held) if name is None else name for held, name in self.open)

    def skip(self, at):
        return SPACE.match(self.text, at).end()

    def name(self, at):
        """A member's name with its colon, from its quote on."""
        if self.text[at : at + 1] != '"':
            raise NoJson
        name, at = self.string(at)
        at = self.skip(at)
        if self.text[at : at + 1] != ":":
            raise NoJson
        self.open[-1] = (self.open[-1][0], name)
        return self.skip(at + 1)

    def string(self, at):
        try:
            return scanstring(self.text, at + 1, True)
        except json.JSONDecodeError:
            raise NoJson from None

    def scalar(self, at):
        if self.text[at : at + 1] == '"':
            return self.string(at)
        for word, value in WORDS.items():
            if self.text.startswith(word, at):
                return value, at + len(word)
        for word in CONSTANTS:
            if self.text.startswith(word, at):
                self.constants.append(self.place())
                return Banned(word, constant=True), at + len(word)
        number = NUMBER.match(self.text, at)
        if not number:
            raise NoJson
        token = number.group()
        fraction = number.group(1) or number.group(2)
        return (Banned(token) if fraction or token == "-0" else Whole(token)), number.end()

    def read(self):
        at = self.skip(0)
        while True:
            # A value begins here.
            opens = self.text[at : at + 1]
            if opens in ("{", "["):
                if len(self.open) == LEVELS:
                    # Nothing behind it is looked at.
                    self.deep = self.place()
                    return None
                at = self.skip(at + 1)
                self.open.append(([], "" if opens == "{" else None))
                if self.text[at : at + 1] != ("}" if opens == "{" else "]"):
                    at = self.name(at) if opens == "{" else at
                    continue
                value, at = self.closed(), at + 1
            else:
                value, at = self.scalar(at)
            # A value ends here, and with it perhaps what holds it.
            while True:
                at = self.skip(at)
                if not self.open:
                    if at != len(self.text):
                        raise NoJson
                    return value
                held, name = self.open[-1]
                held.append(value if name is None else (name, value))
                mark = self.text[at : at + 1]
                if mark == ",":
                    at = self.skip(at + 1)
                    at = at if name is None else self.name(at)
                    break
                if mark != ("]" if name is None else "}"):
                    raise NoJson
                value, at = self.closed(), at + 1

    def closed(self):
        held, name = self.open.pop()
        return held if name is None else Object(held)


# Pointers and canonical texts


def pointer(steps):
    escaped = (str(step).replace("~", "~0").replace("/", "~1") for step in steps)
    return "".join(f"/{step}" for step in escaped)


def shown(place):
    """A place as a report holds it: half a surrogate pair by a mark for each of its bytes, since no ruling says how."""
    return SURROGATE.sub("\ufffd" * 3, place)


def written(value):
    """The canonical text of a value that has one."""
    if isinstance(value, Whole):
        return value.token
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(name)}:{written(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def digest(value):
    return sha256(written(value).encode("utf-8"))

