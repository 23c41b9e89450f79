"""Reads what the harness has open, through its folder in /proc."""

import os
from pathlib import Path

from hostile import attempts

attempts(lambda: Path(f"/proc/{os.getppid()}/fd/9").read_text())
