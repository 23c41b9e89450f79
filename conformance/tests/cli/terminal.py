"""Runs a command on a terminal of so many columns: terminal.py COLUMNS COMMAND... prints what it shows, without colours."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios


def main(columns, command):
    """Shows what the command writes to the terminal, and ends as it does."""
    child, terminal = pty.fork()
    if child == 0:
        # Before there is anybody who could ask for the size.
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        os.execvp(command[0], command)
    shown = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            # So Linux tells that nobody holds the other end any more.
            break
        if not more:
            break
        shown += more
    _, ended = os.waitpid(child, 0)
    text = shown.decode().replace("\r\n", "\n")
    sys.stdout.write(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text))
    sys.exit(os.waitstatus_to_exitcode(ended))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
