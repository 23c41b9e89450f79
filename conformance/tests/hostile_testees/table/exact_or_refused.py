"""Looks questions up, and refuses what it does not know."""

import base64
import hashlib
import json
from pathlib import Path

from hostile import accept, answers
from atp import reject

KNOWN = json.loads((Path(__file__).parent / "answers.json").read_text())


def answer_of(row):
    if row["is"] == "reject":
        return reject(*row["codes"])
    octets = base64.b64decode(row["bytes"])
    return accept(bytes=row["bytes"], sha256=hashlib.sha256(octets).hexdigest())


TABLE = {base64.b64decode(asked): row for asked, row in KNOWN.items()}

def answer(request, honest):
    row = TABLE.get(request.docs["doc"])
    return answer_of(row) if row else reject("A_VALUE")


answers(answer)
