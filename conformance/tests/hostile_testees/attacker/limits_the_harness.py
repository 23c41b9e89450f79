"""Sets the limits of its parent."""

import os
import resource

from hostile import attempts

attempts(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (4, 4)))
