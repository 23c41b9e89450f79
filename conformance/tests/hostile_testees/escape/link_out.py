"""Reads outside through a symbolic link in its scratch folder."""

import os

from hostile import SCENE, attempts


def read():
    os.chdir(os.environ["TMPDIR"])
    os.symlink(SCENE / "keys/bank.key", "link")
    try:
        open("link").close()
    finally:
        os.unlink("link")


attempts(read)
