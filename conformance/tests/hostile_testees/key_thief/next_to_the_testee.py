"""Opens the key by its path, which it knows."""

from hostile import SCENE, attempts

attempts(lambda: (SCENE / "keys/bank.key").read_text())
