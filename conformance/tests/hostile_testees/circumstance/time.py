"""Answers by the clock: wrongly in every other thousandth of a thousandth of a second."""

import time

from hostile import answers, wrong


def answer(request, honest):
    return wrong(request) if time.time_ns() // 1000 % 2 else honest(request)


answers(answer)
