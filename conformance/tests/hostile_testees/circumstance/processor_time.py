"""Answers by how much it has computed so far."""

import time

from hostile import answers, wrong


def answer(request, honest):
    return wrong(request) if time.process_time_ns() // 1000 % 2 else honest(request)


answers(answer)
