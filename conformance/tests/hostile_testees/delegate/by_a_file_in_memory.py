"""Copies the program of its parent into a file in memory, and runs that."""

import os
import shutil
import subprocess

from hostile import ODD, attempts


def canonical(program, *before):
    """What the harness makes of the odd question."""
    done = subprocess.run([*before, program, "canon", "--profile", "rfc8785"], input=ODD, capture_output=True)
    if done.returncode or done.stdout.strip() != ODD:
        raise RuntimeError("no answer")


def run_it():
    number = os.memfd_create("tool", 0)
    with open(f"/proc/{os.getppid()}/exe", "rb") as program, open(number, "wb", closefd=False) as copy:
        shutil.copyfileobj(program, copy)
    canonical(f"/proc/self/fd/{number}")


attempts(run_it)
