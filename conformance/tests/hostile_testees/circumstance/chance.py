"""Answers every eighth question wrongly, by chance."""

import secrets

from hostile import answers, wrong


def answer(request, honest):
    return wrong(request) if secrets.randbelow(8) == 0 else honest(request)


answers(answer)
