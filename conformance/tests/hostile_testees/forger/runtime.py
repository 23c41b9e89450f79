"""Changes the interpreter that later sessions start with."""

import os

from hostile import attempts

attempts(lambda: open(os.__file__, "a").close())
