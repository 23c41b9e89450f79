"""Answers rightly where it is asked one question alone."""

from hostile import answers, wrong

asked = []


def answer(request, honest):
    asked.append(request)
    return wrong(request) if len(asked) > 1 else honest(request)


answers(answer)
