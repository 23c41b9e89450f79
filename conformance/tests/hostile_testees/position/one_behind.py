"""Gives every answer one question late, from the hundredth on."""

from hostile import answers

given = []


def answer(request, honest):
    given.append(honest(request))
    return given[-2 if len(given) > 100 else -1]


answers(answer)
