"""Answers rightly until the first question comes again."""

from hostile import answers, wrong

seen = set()
repeated = []


def answer(request, honest):
    if request.docs["doc"] in seen:
        repeated.append(request)
    seen.add(request.docs["doc"])
    return wrong(request) if repeated else honest(request)


answers(answer)
