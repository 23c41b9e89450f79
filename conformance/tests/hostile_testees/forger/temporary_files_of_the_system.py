"""Writes into the folder for temporary files of the system, where the harness has its own."""

from hostile import attempts

attempts(lambda: open("/tmp/assize-hostile-testee", "x").close())
