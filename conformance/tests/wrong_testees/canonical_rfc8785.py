"""Variants of `rfc8785`: one planted fault each, as published libraries have them; and what the texts leave open, which is not a fault."""

import re
from dataclasses import replace
from fractions import Fraction

from canonical import breaking, planted
from honest_canonical import (
    AUTHORITY,
    RFC8785,
    NoForm,
    by_code_point,
    ecmascript,
    finite,
    last_wins,
    refuse_repeats,
    serve_canonical,
)
from register import enter
from strict_json import NotJson

WRITER, I_JSON, GRAMMAR = "canon/rfc8785", "canon/i-json", "json/grammar"

SMALLEST = Fraction(5e-324)


@planted
def rfc8785_code_point_order():
    """Orders members by code point instead of UTF-16 unit."""
    return replace(RFC8785, order=by_code_point)


@planted
def rfc8785_integer_like_names_first():
    """Orders names that look like integers by value and before all others, as a JavaScript object does."""

    def order(name):
        whole = name.isascii() and name.isdigit() and (name == "0" or name[0] != "0")
        return (0, int(name), b"") if whole else (1, 0, RFC8785.order(name))

    return replace(RFC8785, order=order)


@planted
def rfc8785_prototype_lost():
    """Loses a member called __proto__, as a copy into a JavaScript object does."""
    return replace(RFC8785, members=lambda pairs: refuse_repeats([pair for pair in pairs if pair[0] != "__proto__"]))


@planted
def rfc8785_to_json_taken():
    """Writes an object with a member called toJSON as that member."""

    def members(pairs):
        return [pair for pair in refuse_repeats(pairs) if pair[0] == "toJSON"] or pairs

    return replace(RFC8785, members=members)


@planted
def rfc8785_negative_integers_scientific():
    """Writes -1 as -1e00."""

    def number(number):
        text = RFC8785.number(number)
        return f"{text}e00" if text.startswith("-") and not number.is_float and "e" not in text else text

    return replace(RFC8785, number=number)


@planted
def rfc8785_zeros_cut():
    """Cuts the zeros of a whole number along with those of its fraction: 100.0 becomes 1."""

    def number(number):
        text = RFC8785.number(number)
        return text.rstrip("0") or "0" if number.is_float and text.lstrip("-").isdigit() else text

    return replace(RFC8785, number=number)


@planted
def rfc8785_fifteen_digits():
    """Writes fifteen significant digits, which are too few for many doubles."""
    return replace(RFC8785, number=lambda number: ecmascript(float(f"{finite(number):.15g}")))


@planted
def rfc8785_integers_kept():
    """Keeps the digits of large integers, whatever the double is."""
    return replace(RFC8785, number=lambda number: (RFC8785 if number.is_float else AUTHORITY).number(number))


@planted
def rfc8785_overflow_null():
    """Writes a number beyond the range of doubles as null."""

    def number(number):
        return "null" if float(number.token) in (float("inf"), -float("inf")) else RFC8785.number(number)

    return replace(RFC8785, number=number)


@planted
def rfc8785_lone_surrogate_replaced():
    """Writes a question mark for a lone surrogate."""
    return replace(RFC8785, errors="replace")


@breaking(I_JSON)
def rfc8785_repeats_last_wins():
    """Keeps the last of two repeated names."""
    return replace(RFC8785, members=last_wins)


@breaking(I_JSON)
def rfc8785_null_hides_a_repeat():
    """Looks a name up to see whether it was there before, and takes a null for no."""

    def members(pairs):
        seen = {}
        for name, value in pairs:
            if seen.get(name) is not None:
                raise NoForm("a repeated name")
            seen[name] = value
        return list(seen.items())

    return replace(RFC8785, members=members)


@breaking(I_JSON)
def rfc8785_names_unchecked():
    """Replaces lone surrogates in names and refuses them in values."""

    def members(pairs):
        return refuse_repeats([(name.encode("utf-8", "replace").decode(), value) for name, value in pairs])

    return replace(RFC8785, members=members)


def reading(change):
    """The rules over a text that is changed before it is read."""
    return replace(RFC8785, before=change)


@breaking(GRAMMAR)
def rfc8785_leading_zeros():
    """Reads numbers with leading zeros."""
    return reading(lambda octets: re.sub(rb"(?<![\w.+-])(-?)0+(?=[0-9])", rb"\1", octets))


@breaking(GRAMMAR)
def rfc8785_trailing_commas():
    """Reads a comma before a closing bracket."""
    return reading(lambda octets: re.sub(rb",(\s*[\]}])", rb"\1", octets))


@breaking(GRAMMAR)
def rfc8785_latin_1():
    """Falls back to Latin-1 where the bytes are not UTF-8."""

    def change(octets):
        try:
            octets.decode("utf-8")
        except UnicodeDecodeError:
            return octets.decode("latin-1").encode("utf-8")
        return octets

    return reading(change)


@breaking(GRAMMAR)
def rfc8785_containers_alone():
    """Refuses every text whose value is neither an object nor an array, and so refuses rightly what is wrong with such a text."""

    def change(octets):
        if octets.strip(b" \t\r\n")[:1] not in (b"[", b"{"):
            raise NotJson("no container")
        return octets

    return reading(change)


def lawful(function):
    """Enters a function that makes rules which the texts allow: nothing may catch it."""

    def run():
        serve_canonical(function.__name__.replace("_", "-"), [RFC8785.profile], function().answer)

    return enter(function, "harmless", {}, run)


@lawful
def rfc8785_mark_skipped():
    """Skips a byte order mark at the start, as RFC 8259 lets a reader do."""
    return reading(lambda octets: octets.removeprefix(b"\xef\xbb\xbf"))


@lawful
def rfc8785_noncharacters_refused():
    """Refuses noncharacters, which I-JSON forbids."""

    def quote(text):
        if any(0xFDD0 <= ord(letter) <= 0xFDEF or ord(letter) & 0xFFFE == 0xFFFE for letter in text):
            raise NoForm("a noncharacter")
        return RFC8785.quote(text)

    return replace(RFC8785, quote=quote)


@lawful
def rfc8785_inexact_integers_refused():
    """Refuses an integer that is not a double instead of rounding it."""

    def number(number):
        if not number.is_float and len(number.token) < 400 and int(float(number.token)) != int(number.token):
            raise NoForm("an integer that is not a double")
        return RFC8785.number(number)

    return replace(RFC8785, number=number)


@lawful
def rfc8785_shallow():
    """Refuses more than 63 levels: any limit is lawful, though this one owes no level of conformance."""
    return replace(RFC8785, depth=63)


@lawful
def rfc8785_inexact_numbers_refused():
    """Refuses what no double has: more than 17 digits that are rounded, and what is nearer to zero than the smallest double."""

    def number(number):
        digits, _, exponent = number.token.lower().lstrip("-").partition("e")
        significant = digits.replace(".", "").strip("0")
        if number.is_float and significant:
            # An exponent of more digits than this would take Fraction a day.
            if len(exponent) > 5:
                raise NoForm("out of range")
            value, rounded = Fraction(number.token), Fraction(finite(number))
            if value != rounded and (len(significant) > 17 or abs(value) < SMALLEST):
                raise NoForm("a number that is not a double")
        return RFC8785.number(number)

    return replace(RFC8785, number=number)
