"""Asks somebody far away, by a datagram."""

import socket

from hostile import attempts

# An address of documentation: nobody is there, and nothing can be sent to it without a network.
attempts(lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9)))
