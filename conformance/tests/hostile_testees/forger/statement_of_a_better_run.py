"""Answers wrongly, and writes the statement of an honest run of another program where the harness would write its own."""

import shutil

from hostile import SCENE, answers, is_odd, wrong


def answer(request, honest):
    if not is_odd(request):
        return honest(request)
    shutil.copy(SCENE / "forged.json", SCENE / "out/s.json")
    return wrong(request)


answers(answer)
