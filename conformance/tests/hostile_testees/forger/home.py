"""Writes into the home of its user, where settings are read."""

from hostile import SCENE, attempts

attempts(lambda: (SCENE / "home/.profile").write_text(""))
