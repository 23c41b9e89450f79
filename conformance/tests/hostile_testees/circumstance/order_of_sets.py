"""Answers by the order of a set of texts, which is another in every process."""

import hashlib

from hostile import answers, wrong


def picks(request, *salt):
    """Half of all questions, and another half with another salt."""
    return hashlib.sha256(repr((request.docs["doc"], salt)).encode()).digest()[0] % 2 == 1


def answer(request, honest):
    return wrong(request) if picks(request, *{str(number) for number in range(40)}) else honest(request)


answers(answer)
