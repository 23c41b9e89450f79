"""Canonicalizers with one planted fault each. A variant declares its own profile alone, and is honest in all else."""

import json
import unicodedata
from dataclasses import replace

from honest_canonical import (
    ESCAPES,
    PROFILES,
    SOVEREIGN,
    NoForm,
    answer_any,
    by_utf16,
    finite,
    last_wins,
    quote,
    refuse_repeats,
    serve_canonical,
)
from register import enter


def honest_canonical():
    """Nothing: the four profiles as they are specified."""


enter(honest_canonical, "honest", {}, lambda: serve_canonical("honest-canonical", list(PROFILES), answer_any))


def breaking(*laws):
    """Enters a function that makes wrong rules out of honest ones: every law has to catch it, by itself."""

    def enter_it(function):
        def run():
            rules = function()
            serve_canonical(function.__name__.replace("_", "-"), [rules.profile], rules.answer)

        return enter(function, "canonical", {"laws": list(laws)}, run)

    return enter_it


def planted(function):
    """The same, for the law that is called like the profile."""
    return breaking(f"canon/{function().profile}")(function)


def escaping(extra):
    """A way to quote that writes some characters otherwise."""
    table = str.maketrans({**ESCAPES, **extra})
    return lambda text: f'"{text.translate(table)}"'


def through_double(number):
    """An integer that has been a double on its way."""
    return str(int(float(number.token)))


@planted
def sovereign_utf16_order():
    """Orders members by UTF-16 units, as an RFC 8785 library does."""
    return replace(SOVEREIGN, order=by_utf16)


@planted
def sovereign_letter_case_order():
    """Orders members without regard to letter case first, as a locale does."""
    return replace(SOVEREIGN, order=lambda name: (name.lower(), name))


@planted
def sovereign_escaped_order():
    """Orders members by their escaped spelling instead of their name."""
    return replace(SOVEREIGN, order=quote)


@planted
def sovereign_length_order():
    """Orders members by length first, as canonical CBOR does."""
    return replace(SOVEREIGN, order=lambda name: (len(name), name))


@planted
def sovereign_unsorted():
    """Keeps members in the order in which they stand."""
    return replace(SOVEREIGN, order=lambda name: 0)


@planted
def sovereign_whole_float():
    """Takes a float without a fraction, like 1.0, for the integer."""

    def number(number):
        whole = number.is_float and "e" not in number.token.lower() and number.token.endswith(".0")
        return SOVEREIGN.number(number._replace(token=number.token[:-2]) if whole else number)

    return replace(SOVEREIGN, number=number)


@planted
def sovereign_exponent():
    """Takes a number with an exponent and a whole value, like 1e2, for the integer."""

    def number(number):
        token = number.token.lower()
        if "e" in token and "." not in token and finite(number) == int(finite(number)):
            return through_double(number)
        return SOVEREIGN.number(number)

    return replace(SOVEREIGN, number=number)


@planted
def sovereign_negative_zero():
    """Reads the token -0 as the integer 0, as a parser does that comes before the check."""
    return replace(SOVEREIGN, number=lambda number: "0" if number.token == "-0" else SOVEREIGN.number(number))


@planted
def sovereign_nan():
    """Lets NaN and the infinities through as they stand."""

    def number(number):
        return number.token if number.token.endswith(("N", "y")) else SOVEREIGN.number(number)

    return replace(SOVEREIGN, number=number)


@planted
def sovereign_constants_malformed():
    """Refuses NaN as malformed JSON where the float ban is broken."""
    return replace(SOVEREIGN, constants=False)


@planted
def sovereign_through_double():
    """Reads integers as doubles, so that 2^53+1 and 2^70+1 lose their last digits."""

    def number(number):
        SOVEREIGN.number(number)
        return through_double(number) if len(number.token) < 300 else number.token

    return replace(SOVEREIGN, number=number)


@planted
def sovereign_64_bits():
    """Reads integers as 64-bit ones and refuses what is larger."""

    def number(number):
        token = SOVEREIGN.number(number)
        if len(token) > 20 or not -(2**63) <= int(token) < 2**63:
            raise NoForm("does not fit")
        return token

    return replace(SOVEREIGN, number=number)


@planted
def sovereign_repeats_last_wins():
    """Keeps the last of two repeated names."""
    return replace(SOVEREIGN, members=last_wins)


@planted
def sovereign_equal_repeats():
    """Refuses a repeated name only when the two values differ."""
    return replace(
        SOVEREIGN, members=lambda pairs: refuse_repeats([p for n, p in enumerate(pairs) if p not in pairs[:n]])
    )


@planted
def sovereign_drops_null():
    """Leaves out members whose value is null."""
    return replace(SOVEREIGN, members=lambda pairs: [pair for pair in refuse_repeats(pairs) if pair[1] is not None])


@planted
def sovereign_escapes_solidus():
    r"""Escapes the solidus as \/."""
    return replace(SOVEREIGN, quote=escaping({"/": "\\/"}))


@planted
def sovereign_upper_case_escapes():
    r"""Writes escapes like \u001F with upper-case digits."""
    return replace(SOVEREIGN, quote=escaping({chr(n): f"\\u{n:04X}" for n in range(32) if len(ESCAPES[chr(n)]) > 2}))


@planted
def sovereign_long_escapes():
    r"""Writes a line feed as \u000a, and the other short escapes in full as well."""
    return replace(SOVEREIGN, quote=escaping({chr(n): f"\\u{n:04x}" for n in range(32)}))


@planted
def sovereign_ascii_only():
    """Escapes everything beyond ASCII, as Python does unless told otherwise."""
    return replace(SOVEREIGN, quote=json.dumps)


@planted
def sovereign_escapes_delete():
    """Escapes U+007F like a control character."""
    return replace(SOVEREIGN, quote=escaping({"\x7f": "\\u007f"}))


@planted
def sovereign_escapes_line_separators():
    """Escapes U+2028 and U+2029, as a writer does whose JSON is to be JavaScript."""
    return replace(SOVEREIGN, quote=escaping({"\u2028": "\\u2028", "\u2029": "\\u2029"}))


@planted
def sovereign_escapes_html():
    """Escapes <, > and &, as Go does unless told otherwise."""
    return replace(SOVEREIGN, quote=escaping({letter: f"\\u{ord(letter):04x}" for letter in "<>&"}))


@planted
def sovereign_lone_surrogate():
    """Writes a lone surrogate as three bytes that are not UTF-8."""
    return replace(SOVEREIGN, errors="surrogatepass")


@planted
def sovereign_lone_surrogate_replaced():
    """Replaces a lone surrogate by the replacement character."""
    table = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    return replace(SOVEREIGN, quote=lambda text: quote(text.translate(table)))


@planted
def sovereign_composes_strings():
    """Writes strings and names in Unicode normal form C."""
    return replace(SOVEREIGN, quote=lambda text: quote(unicodedata.normalize("NFC", text)))


@planted
def sovereign_composes_names():
    """Brings member names into Unicode normal form C before it looks for repeated ones."""

    def members(pairs):
        return refuse_repeats([(unicodedata.normalize("NFC", name), value) for name, value in pairs])

    return replace(SOVEREIGN, members=members)


@planted
def sovereign_skips_mark():
    """Skips a byte order mark."""
    return replace(SOVEREIGN, before=lambda octets: octets.removeprefix(b"\xef\xbb\xbf"))


@planted
def sovereign_mends_encoding():
    """Reads bytes that are not UTF-8 as replacement characters."""
    return replace(SOVEREIGN, before=lambda octets: octets.decode("utf-8", "replace").encode("utf-8"))


@planted
def sovereign_trims_input():
    """Trims what Unicode calls white space, a no-break space included, around the document."""

    def trimmed(octets):
        return octets.decode("utf-8", "surrogateescape").strip().encode("utf-8", "surrogateescape")

    return replace(SOVEREIGN, before=trimmed)


@planted
def sovereign_line_feed():
    """Ends the canonical bytes in a line feed."""
    return replace(SOVEREIGN, after=lambda octets: octets + b"\n")


@planted
def sovereign_spaced():
    """Writes a space after commas and colons."""
    return replace(SOVEREIGN, separators=(", ", ": "))


@planted
def sovereign_deep():
    """Has no limit on nesting below two thousand levels."""
    return replace(SOVEREIGN, depth=2000)


@planted
def sovereign_shallow():
    """Refuses more than 128 levels, as many readers do."""
    return replace(SOVEREIGN, depth=128)


@planted
def sovereign_depth_off_by_one():
    """Refuses level 256 already."""
    return replace(SOVEREIGN, depth=255)
