"""What the hostile testees share: an honest canonicalizer for RFC 8785, and the switch that takes a trick away.

MAIN trick      serve ATP/1 with the trick
MAIN honest     serve it without: the control, which shows that nothing else is wrong with the program
"""

import errno
import json
import os
import sys
from pathlib import Path

from atp import Session, accept, base64_text, fault
from honest_canonical import FRAMES, RFC8785

# The document over which most tricks are tried; one case of the corpus has it.
ODD = b'{"a":1,"b":2}'
# The folder that the harness was called in; the testee lies in a folder of it.
SCENE = Path(__file__).resolve().parent.parent
# What the test tells its testees: where the harness is, and the ports of a helper that would answer for them.
KNOWN = json.loads((Path(__file__).resolve().parent / "known.json").read_text())


def is_odd(request):
    """Whether a question is the one over which a trick is tried."""
    return request.docs["doc"] == ODD


def wrong(request):
    """A wrong answer to any question."""
    return accept(bytes=base64_text(b"wrong"), sha256="0" * 64)


def word(error):
    """An error in one word or two, the same on every machine."""
    number = getattr(error, "errno", None)
    name = errno.errorcode.get(number, "") if isinstance(number, int) else str(error)
    return f"{type(error).__name__} {name}".strip()


def run(trick):
    """Serves one session; `trick` changes it before it begins, unless the honest control is asked for."""
    sys.setrecursionlimit(FRAMES)
    session = Session("hostile", "1", {"canon.bytes": {"profile": ["rfc8785"]}}, RFC8785.answer)
    if sys.argv[1] == "trick":
        trick(session)
    sys.exit(session.run())


def attempts(attempt):
    """Serves honestly if a forbidden thing can be done, so that what is not stopped is seen; else says what stopped it."""

    def trick(session):
        honest = session.answer

        def answer(request):
            if not is_odd(request):
                return honest(request)
            try:
                attempt()
            except Exception as error:  # whatever stops it
                return fault("trick", f"stopped: {word(error)}")
            return honest(request)

        session.answer = answer

    run(trick)


def answers(function):
    """Serves what `function` makes of a question; it gets the honest function too."""

    def trick(session):
        honest = session.answer
        session.answer = lambda request: function(request, honest)

    run(trick)


def sends(function):
    """Lets `function` send the line of the odd question's answer; it gets the session and the frame as it should be."""

    def trick(session):
        reply = session.reply

        def reply_oddly(identity, docs, answer):
            if docs.get("doc") != ODD:
                return reply(identity, docs, answer)
            return function(session, {**answer, "id": identity, "seen": session.seen(docs)})

        session.reply = reply_oddly

    run(trick)


def once(name):
    """Whether this is the first process of the testee that asks; only what is not sealed can tell."""
    mark = SCENE / "marks" / name
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
