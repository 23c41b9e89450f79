"""Starts a command without output; prints how it ended, its seconds of processor and of wall time, and its peak memory in KB.

A peak of memory counts what the parent held at the start, so measuring scripts start commands by this small process:

    python3 -S -E peak.py COMMAND [ARGUMENT]...
"""

import os
import sys
import time

null = os.open(os.devnull, os.O_WRONLY)
began = time.monotonic()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
_, status, used = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss)
