"""Which code a denial carries when several conditions hold."""

from kernel.errors import BadInput
from kernel.reader import STRICT, read

PRECEDENCE = ("E_SIDE_EFFECT_UNDECLARED", "E_CAPABILITY_DENIED", "E_PERMISSION_DENIED")


def deny_code(conditions: bytes) -> str | None:
    """The code that takes precedence, or None where no condition holds."""
    codes = read(conditions, STRICT)
    if not isinstance(codes, list):
        raise BadInput("conditions are an array of deny codes")
    for index, code in enumerate(codes):
        if code not in PRECEDENCE:
            raise BadInput(f"a condition is one of {', '.join(PRECEDENCE)}", f"/{index}")
    return next((code for code in PRECEDENCE if code in codes), None)
