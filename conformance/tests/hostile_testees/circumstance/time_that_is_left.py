"""Is honest as long as there are hours for an answer, and not where the harness alters answers and has less patience."""

from hostile import answers, wrong


def answer(request, honest):
    return wrong(request) if request.ms < 1000 else honest(request)


answers(answer)
