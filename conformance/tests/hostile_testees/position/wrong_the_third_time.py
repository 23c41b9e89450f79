"""Answers the third time that a question comes wrongly: twice is how often each order holds it."""

from collections import Counter

from hostile import answers, wrong

seen = Counter()


def answer(request, honest):
    seen[request.docs["doc"]] += 1
    return wrong(request) if seen[request.docs["doc"]] == 3 else honest(request)


answers(answer)
