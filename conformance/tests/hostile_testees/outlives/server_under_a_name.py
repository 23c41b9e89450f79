"""Starts a server for later sessions under an abstract name."""

import os
import socket

from hostile import attempts


def ask_the_first_session():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0assize-hostile-testee")


attempts(ask_the_first_session)
