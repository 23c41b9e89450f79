"""Starts a server for later sessions on the network of the machine, and asks it there."""

import os
import socket

from hostile import attempts


def ask_the_first_session():
    listener = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        listener.accept()[0].sendall(b"answer")
        os._exit(0)
    with socket.create_connection(listener.getsockname()) as asked:
        asked.recv(10)


attempts(ask_the_first_session)
