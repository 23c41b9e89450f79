"""Lists the folder that the harness was called in."""

import os

from hostile import SCENE, attempts

attempts(lambda: os.listdir(SCENE).index("keys"))
