"""Reads the environment of the harness, in which the path of the key stands."""

import os
from pathlib import Path

from hostile import attempts

attempts(lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes().index(b"BANK_KEY"))
