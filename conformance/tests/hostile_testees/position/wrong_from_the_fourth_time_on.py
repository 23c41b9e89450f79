"""Answers wrongly from the fourth time on that a question comes."""

from collections import Counter

from hostile import answers, wrong

seen = Counter()


def answer(request, honest):
    seen[request.docs["doc"]] += 1
    return wrong(request) if seen[request.docs["doc"]] >= 4 else honest(request)


answers(answer)
