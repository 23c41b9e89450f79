"""Runs the program of process 1, which is the harness."""

import subprocess

from hostile import ODD, attempts


def canonical(program, *before):
    """What the harness makes of the odd question."""
    done = subprocess.run([*before, program, "canon", "--profile", "rfc8785"], input=ODD, capture_output=True)
    if done.returncode or done.stdout.strip() != ODD:
        raise RuntimeError("no answer")


attempts(lambda: canonical("/proc/1/exe"))
