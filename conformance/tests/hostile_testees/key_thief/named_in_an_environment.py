"""Takes the path of the key from its environment."""

import os

from hostile import attempts

attempts(lambda: open(os.environ["BANK_KEY"]).read())
