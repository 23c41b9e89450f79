"""Plays the answers of the first order back in the second, whatever is asked."""

from hostile import answers

played, seen = [], set()


def answer(request, honest):
    if request.docs["doc"] in seen:
        return played.pop(0) if played else honest(request)
    seen.add(request.docs["doc"])
    played.append(honest(request))
    return played[-1]


answers(answer)
