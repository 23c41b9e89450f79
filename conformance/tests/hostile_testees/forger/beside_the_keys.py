"""Puts a key of its own in the place of the trusted one."""

from hostile import SCENE, attempts

attempts(lambda: (SCENE / "keys/bank.pub").write_text(""))
