"""Answers a question wrongly the first time, as if it learnt from it."""

from collections import Counter

from hostile import answers, wrong

seen = Counter()


def answer(request, honest):
    seen[request.docs["doc"]] += 1
    return wrong(request) if seen[request.docs["doc"]] == 1 else honest(request)


answers(answer)
