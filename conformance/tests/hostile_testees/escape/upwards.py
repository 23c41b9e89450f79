"""Reads outside by a path that leads upwards."""

from pathlib import Path

from hostile import attempts

attempts(lambda: (Path(__file__).parent / "../keys/bank.key").read_text())
