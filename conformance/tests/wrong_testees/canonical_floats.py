"""Wrong variants of the two house profiles that have floats, `episode` and `authority`: one planted fault each."""

from dataclasses import replace

from canonical import planted, through_double
from honest_canonical import (
    AUTHORITY,
    EPISODE,
    NoForm,
    by_code_point,
    by_utf16,
    ecmascript,
    finite,
    last_wins,
    quote,
    refuse_repeats,
    shortest_digits,
)


def printing(rules, layout):
    """The rules with another way to print a finite float."""
    return replace(rules, number=lambda number: layout(finite(number)) if number.is_float else rules.number(number))


def scientific(value, width=1):
    """A float in scientific layout, whatever its size."""
    sign, digits, power = shortest_digits(value)
    fraction = "." + digits[1:] if digits[1:] else ""
    return f"{sign}{digits[0]}{fraction}e{'-' if power < 0 else '+'}{abs(power):0{width}}"


def positional(value):
    """A float without an exponent, whatever its size."""
    sign, digits, power = shortest_digits(value)
    if power < 0:
        return sign + "0." + "0" * (-power - 1) + digits
    whole, fraction = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
    return sign + whole + ("." + fraction if fraction else "")


def power_of(value):
    """The decimal exponent of a float; none for zero."""
    return shortest_digits(value)[2] if value else None


@planted
def episode_code_point_order():
    """Orders members by code point instead of UTF-16 unit."""
    return replace(EPISODE, order=by_code_point)


@planted
def episode_repeats_last_wins():
    """Keeps the last of two repeated names."""
    return replace(EPISODE, members=last_wins)


@planted
def episode_unsafe_integers_rounded():
    """Rounds integers beyond 2^53-1 to doubles instead of refusing them."""
    return replace(EPISODE, number=lambda number: ecmascript(finite(number)))


@planted
def episode_unsafe_integers_kept():
    """Keeps the digits of integers beyond 2^53-1 instead of refusing them."""
    return replace(EPISODE, number=lambda number: EPISODE.number(number) if number.is_float else AUTHORITY.number(number))


@planted
def episode_safe_integers_off_by_one():
    """Takes 2^53 for a safe integer."""

    def number(number):
        return number.token if number.token.lstrip("-") == str(2**53) else EPISODE.number(number)

    return replace(EPISODE, number=number)


@planted
def episode_whole_floats_unsafe():
    """Refuses whole numbers beyond 2^53-1 even when they are written as floats."""

    def layout(value):
        if value == int(value) and abs(value) > 2**53 - 1:
            raise NoForm("an unsafe integer")
        return ecmascript(value)

    return printing(EPISODE, layout)


@planted
def episode_positional_1e21():
    """Writes 1e21 without an exponent."""
    return printing(EPISODE, lambda value: positional(value) if power_of(value) == 21 else ecmascript(value))


@planted
def episode_scientific_1e20():
    """Writes 1e20 with an exponent."""
    return printing(EPISODE, lambda value: scientific(value) if power_of(value) == 20 else ecmascript(value))


@planted
def episode_positional_1e_7():
    """Writes 1e-7 without an exponent."""
    return printing(EPISODE, lambda value: positional(value) if power_of(value) == -7 else ecmascript(value))


@planted
def episode_scientific_1e_6():
    """Writes 1e-6 with an exponent."""
    return printing(EPISODE, lambda value: scientific(value) if power_of(value) == -6 else ecmascript(value))


@planted
def episode_python_layout():
    """Writes floats as Python does: 1.0, 1e-07, 1e+16."""
    return printing(EPISODE, repr)


@planted
def episode_unsigned_exponent():
    """Leaves out the plus sign of an exponent."""
    return printing(EPISODE, lambda value: ecmascript(value).replace("e+", "e"))


@planted
def episode_seventeen_digits():
    """Writes seventeen significant digits instead of the shortest that read back."""

    def layout(value):
        text = ecmascript(value)
        return text if value == 0 or "e" in text or float(f"{value:.15g}") == value else f"{value:.17g}"

    return printing(EPISODE, layout)


@planted
def episode_negative_zero_kept():
    """Writes -0.0 as -0."""
    return printing(EPISODE, lambda value: "-0" if str(value) == "-0.0" else ecmascript(value))


@planted
def episode_overflow_null():
    """Writes a number beyond the range of doubles as null, as JavaScript does."""

    def number(number):
        return "null" if float(number.token) in (float("inf"), -float("inf")) else EPISODE.number(number)

    return replace(EPISODE, number=number)


@planted
def episode_underflow_refused():
    """Refuses a number that underflows to zero."""

    def number(number):
        if number.is_float and finite(number) == 0 and number.token.lower().split("e")[0].strip("-0."):
            raise NoForm("underflow")
        return EPISODE.number(number)

    return replace(EPISODE, number=number)


@planted
def episode_subnormals_zero():
    """Takes subnormal doubles for zero."""
    return printing(EPISODE, lambda value: "0" if abs(value) < 2.0**-1022 else ecmascript(value))


@planted
def episode_constants():
    """Reads NaN and the infinities as JSON, and only then finds no form for them."""
    return replace(EPISODE, constants=True)


@planted
def episode_lone_surrogate():
    """Writes a lone surrogate as three bytes that are not UTF-8."""
    return replace(EPISODE, errors="surrogatepass")


@planted
def episode_shallow():
    """Refuses more than 64 levels."""
    return replace(EPISODE, depth=64)


@planted
def authority_first_wins():
    """Keeps the first of two repeated names."""
    return replace(AUTHORITY, members=lambda pairs: last_wins(pairs[::-1]))


@planted
def authority_repeats_refused():
    """Refuses a repeated name, as the two other profiles do."""
    return replace(AUTHORITY, members=refuse_repeats)


@planted
def authority_forgotten_values_judged():
    """Refuses an object for a value that a later member of the same name has replaced."""

    def members(pairs):
        for _, value in pairs:
            AUTHORITY.text(value).encode("utf-8")
        return last_wins(pairs)

    return replace(AUTHORITY, members=members)


@planted
def authority_ecmascript_layout():
    """Writes floats as RFC 8785 does: 1, 1e-7, 10000000000000000."""
    return printing(AUTHORITY, ecmascript)


@planted
def authority_short_exponent():
    """Writes an exponent of one digit, 1e-7, where Python writes two."""

    def layout(value):
        power = power_of(value)
        return scientific(value) if value and not -5 < power < 16 and abs(power) < 10 else repr(value)

    return printing(AUTHORITY, layout)


@planted
def authority_mantissa_point():
    """Keeps the fraction of a whole mantissa: 1.0e+16."""
    return printing(AUTHORITY, lambda value: repr(value) if "." in repr(value) else repr(value).replace("e", ".0e"))


@planted
def authority_scientific_1e_4():
    """Writes 0.0001 with an exponent."""
    return printing(AUTHORITY, lambda value: scientific(value, width=2) if power_of(value) == -4 else repr(value))


@planted
def authority_positional_1e16():
    """Writes 1e16 without an exponent."""
    return printing(AUTHORITY, lambda value: positional(value) + ".0" if power_of(value) == 16 else repr(value))


@planted
def authority_zero_unsigned():
    """Drops the sign of -0.0."""
    return printing(AUTHORITY, lambda value: repr(value + 0.0))


@planted
def authority_negative_zero_integer():
    """Keeps the sign of the integer token -0."""
    return replace(AUTHORITY, number=lambda number: "-0" if number.token == "-0" else AUTHORITY.number(number))


@planted
def authority_through_double():
    """Reads integers as doubles, so that 2^53+1 loses its last digit."""

    def number(number):
        if number.is_float or len(number.token) > 300:
            return AUTHORITY.number(number)
        return through_double(number)

    return replace(AUTHORITY, number=number)


@planted
def authority_utf16_order():
    """Orders members by UTF-16 units."""
    return replace(AUTHORITY, order=by_utf16)


@planted
def authority_shallow():
    """Refuses more than 127 levels, as many readers do."""
    return replace(AUTHORITY, depth=127)


@planted
def authority_constants_malformed():
    """Refuses NaN as malformed JSON, even where a later member replaces it."""
    return replace(AUTHORITY, constants=False)


@planted
def authority_lone_surrogate_escaped():
    """Writes a lone surrogate as an escape."""

    def escaped(text):
        return quote(text).encode("utf-8", "backslashreplace").decode("utf-8")

    return replace(AUTHORITY, quote=escaped)
