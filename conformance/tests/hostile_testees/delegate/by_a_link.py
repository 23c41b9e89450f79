"""Runs the harness through a symbolic link that it makes in its scratch folder."""

import os
import subprocess

from hostile import KNOWN, ODD, attempts


def canonical(program, *before):
    """What the harness makes of the odd question."""
    done = subprocess.run([*before, program, "canon", "--profile", "rfc8785"], input=ODD, capture_output=True)
    if done.returncode or done.stdout.strip() != ODD:
        raise RuntimeError("no answer")


def run_it():
    link = os.path.join(os.environ["TMPDIR"], "tool")
    os.symlink(KNOWN["harness"], link)
    try:
        canonical(link)
    finally:
        os.unlink(link)


attempts(run_it)
