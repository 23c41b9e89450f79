"""Answers every fiftieth question wrongly."""

from hostile import answers, wrong

asked = []


def answer(request, honest):
    asked.append(request)
    return wrong(request) if len(asked) % 50 == 0 else honest(request)


answers(answer)
