"""Runs the harness under a second name that it has among the files of the testee."""

import subprocess
from pathlib import Path

from hostile import ODD, attempts


def canonical(program, *before):
    """What the harness makes of the odd question."""
    done = subprocess.run([*before, program, "canon", "--profile", "rfc8785"], input=ODD, capture_output=True)
    if done.returncode or done.stdout.strip() != ODD:
        raise RuntimeError("no answer")


attempts(lambda: canonical(Path(__file__).parent / "tool"))
