"""Copies the harness into its scratch folder, and runs it there."""

import os
import shutil
import subprocess

from hostile import KNOWN, ODD, attempts


def canonical(program, *before):
    """What the harness makes of the odd question."""
    done = subprocess.run([*before, program, "canon", "--profile", "rfc8785"], input=ODD, capture_output=True)
    if done.returncode or done.stdout.strip() != ODD:
        raise RuntimeError("no answer")


def run_it():
    copy = os.path.join(os.environ["TMPDIR"], "tool")
    shutil.copy(KNOWN["harness"], copy)
    canonical(copy)
    os.unlink(copy)


attempts(run_it)
