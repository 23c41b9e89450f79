"""Answers a question wrongly that comes again within five others."""

from hostile import answers, wrong

asked = []


def answer(request, honest):
    asked.append(request)
    return wrong(request) if request.docs["doc"] in [one.docs["doc"] for one in asked[-6:-1]] else honest(request)


answers(answer)
