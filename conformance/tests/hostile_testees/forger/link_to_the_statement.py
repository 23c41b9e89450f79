"""Links a file of its scratch folder to the place of the statement."""

import os

from hostile import SCENE, attempts


def forge():
    own = os.path.join(os.environ["TMPDIR"], "s")
    with open(own, "w") as file:
        file.write("{}")
    os.link(own, SCENE / "out/other.json")


attempts(forge)
