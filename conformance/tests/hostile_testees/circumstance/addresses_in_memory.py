"""Answers by where its objects lie in memory."""

import hashlib

from hostile import answers, wrong


def picks(request, *salt):
    """Half of all questions, and another half with another salt."""
    return hashlib.sha256(repr((request.docs["doc"], salt)).encode()).digest()[0] % 2 == 1


def answer(request, honest):
    return wrong(request) if picks(request, id(request)) else honest(request)


answers(answer)
