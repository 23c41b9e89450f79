import json
import os

from atp import accept, reject, serve


def answer(request):
    root = os.path.realpath(request.root)
    for path in json.loads(request.docs["entry"])["paths"]:
        try:
            if os.path.realpath(os.path.join(root, path)).startswith(root + os.sep):
                with open(os.path.join(root, path), "rb"):
                    return accept(path=path)
        except (OSError, ValueError):
            continue
    return reject("E_REPLAY_INPUT_MISSING")


serve("pick", "1.0", {"sovereign.select_path": {}}, answer)
