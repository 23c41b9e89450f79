"""Answers by the variable that marks its session."""

import hashlib
import os

from hostile import answers, wrong


def picks(request, *salt):
    """Half of all questions, and another half with another salt."""
    return hashlib.sha256(repr((request.docs["doc"], salt)).encode()).digest()[0] % 2 == 1


def answer(request, honest):
    return wrong(request) if picks(request, os.environ["ASSIZE_SESSION"]) else honest(request)


answers(answer)
