"""Sets the limits of its parent."""

import os
import resource

from hostile import attempts


def limit():
    resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (4, 4))
    raise InterruptedError("process 1 alone is limited")


attempts(limit)
