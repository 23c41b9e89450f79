#!/usr/bin/env python3
"""A bank of testees with one planted fault each, and a few that only look odd: what a harness has to catch, or to pass.

bank.py NAME [CLOCK]   serve ATP/1 as that testee, by the clock of that file
bank.py --list         a JSON array of {name, kind, plants, caught_by}

`ASSIZE_BANK=all cargo test -p assize --test it wrong_testees -- --nocapture` runs all of them and prints which law, outcome or finding caught
which.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "shims"))

import canonical  # noqa: E402, F401
import canonical_floats  # noqa: E402, F401
import canonical_rfc8785  # noqa: E402, F401
import comparison  # noqa: E402, F401
import comparison_turns  # noqa: E402, F401
import conduct  # noqa: E402, F401
import harmless  # noqa: E402, F401
import held_clock  # noqa: E402
import kernel_state  # noqa: E402, F401
from register import BANK  # noqa: E402


def main(arguments):
    """Lists the bank, or serves as one testee of it."""
    if arguments == ["--list"]:
        print(json.dumps([testee.listed() for testee in BANK.values()], indent=2))
        return
    if len(arguments) not in (1, 2) or arguments[0] not in BANK:
        sys.exit(f"{__doc__}\nunknown: {arguments}; `bank.py --list` prints the names")
    held_clock.path = arguments[1] if len(arguments) == 2 else None
    BANK[arguments[0]].run()


if __name__ == "__main__":
    main(sys.argv[1:])
