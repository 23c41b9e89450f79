"""Writes into the folders of the system's programs."""

from hostile import attempts

attempts(lambda: open("/usr/bin/assize-hostile-testee", "x").close())
