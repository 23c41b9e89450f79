"""Answers the second time that a question comes wrongly."""

from collections import Counter

from hostile import answers, wrong

seen = Counter()


def answer(request, honest):
    seen[request.docs["doc"]] += 1
    return wrong(request) if seen[request.docs["doc"]] == 2 else honest(request)


answers(answer)
