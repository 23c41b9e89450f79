"""Asks the kernel for a restart through /proc."""

from pathlib import Path

from hostile import attempts

attempts(lambda: Path("/proc/sys/kernel/core_pattern").write_text("|/bin/false"))
