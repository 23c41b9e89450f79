"""Runs a copy of the harness that one of its arguments names, beside its files."""

import subprocess
import sys

from hostile import ODD, attempts


def canonical(program):
    """What the harness makes of the odd question."""
    done = subprocess.run([program, "canon", "--profile", "rfc8785"], input=ODD, capture_output=True)
    if done.returncode or done.stdout.strip() != ODD:
        raise RuntimeError("no answer")


attempts(lambda: canonical(sys.argv[2]))
