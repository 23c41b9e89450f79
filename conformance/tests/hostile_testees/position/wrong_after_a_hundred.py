"""Answers wrongly after a hundred answers."""

from hostile import answers, wrong

asked = []


def answer(request, honest):
    asked.append(request)
    return wrong(request) if len(asked) > 100 else honest(request)


answers(answer)
