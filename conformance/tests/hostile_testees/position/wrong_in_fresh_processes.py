"""Answers the first question of every process wrongly."""

from hostile import answers, wrong

asked = []


def answer(request, honest):
    asked.append(request)
    return wrong(request) if len(asked) == 1 else honest(request)


answers(answer)
