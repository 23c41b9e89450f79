"""Testees that canonicalize honestly in the `sovereign` profile and behave badly as processes.

Most of them are odd on one document alone, so that a run over them stays short; the rest are odd from the start.
What never answers hangs until it is ended, and a slow one measures its time by a clock that a test may hold.
"""

import os
import signal
import sys
import threading
import time

import held_clock
from honest_canonical import FRAMES, SOVEREIGN
from register import enter

from atp import Session, accept, encoded, fault, reject, unsupported

# The document on which a testee misbehaves; one case of the corpus has it.
ODD = b"true"
# In case a child is not ended.
FOR_EVER = 3600
ENDLESS = 1 << 30


class OddSession(Session):
    """A session that gives the odd document's answer to another function."""

    hook = None
    allowed = 0.0

    def hello(self, frame):
        # The run's own limit: a case that is tried again is sent with a longer one.
        self.allowed = frame["limits"]["case_ms"] / 1000
        return super().hello(frame)

    def reply(self, identity, docs, answer):
        if self.hook and docs.get("doc") == ODD:
            self.hook(self, identity, docs, answer)
        else:
            super().reply(identity, docs, answer)

    def reply_honestly(self, identity, docs, answer):
        """The answer as it should be."""
        super().reply(identity, docs, answer)


def session_of(function):
    """An honest session under the function's name."""
    sys.setrecursionlimit(FRAMES)
    ops = {"canon.bytes": {"profile": ["sovereign"]}}
    return OddSession(function.__name__.replace("_", "-"), "1", ops, SOVEREIGN.answer)


def odd(kind="conduct", **caught_by):
    """Enters a function that answers the odd document in the session's place."""

    def enter_it(function):
        def run():
            session = session_of(function)
            session.hook = function
            sys.exit(session.run())

        return enter(function, kind, caught_by, run)

    return enter_it


def whole(kind="conduct", **caught_by):
    """Enters a function that changes a session before it begins."""

    def enter_it(function):
        def run():
            session = session_of(function)
            function(session)
            sys.exit(session.run())

        return enter(function, kind, caught_by, run)

    return enter_it


@odd(outcome="TIMEOUT", says="hung")
def hangs_on_a_document(session, identity, docs, answer):
    """Never answers a certain document."""
    held_clock.hang()


@odd(outcome="TIMEOUT", says="hung")
def ignores_the_end(session, identity, docs, answer):
    """Ignores the polite signals and never answers a certain document."""
    for polite in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(polite, signal.SIG_IGN)
    held_clock.hang()


@odd(outcome="TIMEOUT", says="slow")
def slow(session, identity, docs, answer):
    """Answers a certain document rightly, after one and a half times the time allowed."""
    held_clock.sleep(session.allowed * 1.5)
    session.reply_honestly(identity, docs, answer)


@whole(finding="session-fault")
def hangs_every_fiftieth(session):
    """Hangs on the fiftieth case of a process, whatever it is, and never on one that is asked alone."""

    def answer(request):
        if session.served % 50 == 49:
            held_clock.hang()
        return SOVEREIGN.answer(request)

    session.answer = answer


@whole(finding="session-fault")
def crashes_every_hundredth(session):
    """Dies on the hundredth case of a process, whatever it is, and never on one that is asked alone."""

    def answer(request):
        if session.served % 100 == 99:
            os._exit(9)
        return SOVEREIGN.answer(request)

    session.answer = answer


@odd(outcome="CRASH", says="exit code 9")
def crashes_on_a_document(session, identity, docs, answer):
    """Dies on a certain document without a word."""
    os._exit(9)


@odd(outcome="CRASH", says="SIGKILL")
def killed_on_a_document(session, identity, docs, answer):
    """Is ended by a signal on a certain document, as by a system short of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


@odd(outcome="CRASH", says="exit code 0")
def exits_politely(session, identity, docs, answer):
    """Ends with exit code 0 on a certain document, as if all were said."""
    os._exit(0)


@odd(outcome="CRASH", says="inside a line")
def crashes_mid_line(session, identity, docs, answer):
    """Writes half an answer to a certain document and dies."""
    line = encoded({**answer, "id": identity, "seen": session.seen(docs)})
    session.output.write(line[: len(line) // 2])
    session.output.flush()
    os._exit(9)


@odd(outcome="CRASH", says="its output ends")
def closes_its_output(session, identity, docs, answer):
    """Closes its output on a certain document, and keeps running."""
    os.close(1)
    # No time passes by its clock: the end of the output is seen without that, however late.
    signal.pause()


@whole(outcome="CRASH")
def dies_on_every_case(session):
    """Dies on every case."""
    session.answer = lambda request: os._exit(9)


@odd(outcome="PROTOCOL", says="no complete frame")
def prints_garbage(session, identity, docs, answer):
    """Prints a line for people into the protocol."""
    session.send(b"processing document 17 ...")
    session.reply_honestly(identity, docs, answer)


@odd(outcome="PROTOCOL", says="no UTF-8")
def prints_bad_encoding(session, identity, docs, answer):
    """Writes an answer that is not UTF-8."""
    session.send(encoded({**answer, "id": identity, "seen": session.seen(docs), "note": "?"}).replace(b"?", b"\xff"))


@odd(outcome="PROTOCOL", says="a line has more than")
def endless_line(session, identity, docs, answer):
    """Writes a gigabyte without a line feed."""
    for _ in range(ENDLESS >> 20):
        session.output.write(b"x" * (1 << 20))
    session.reply_honestly(identity, docs, answer)


@odd(finding="orphans")
def leaves_a_child(session, identity, docs, answer):
    """Forks a child into a session of its own, which holds on to the output and outlives its parent."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(FOR_EVER)
        os._exit(0)
    session.reply_honestly(identity, docs, answer)


@odd(outcome="PROTOCOL", says="a second time")
def answers_twice(session, identity, docs, answer):
    """Answers a certain document twice."""
    session.reply_honestly(identity, docs, answer)
    session.reply_honestly(identity, docs, answer)


@odd(outcome="PROTOCOL", says="to no question that was asked")
def answers_unknown_ids(session, identity, docs, answer):
    """Answers a question that nobody asked."""
    session.reply_honestly(identity + "-other", docs, answer)


@odd(outcome="PROTOCOL", says="no answer frame")
def says_maybe(session, identity, docs, answer):
    """Answers neither accept nor reject."""
    session.send(encoded({"t": "answer", "id": identity, "seen": session.seen(docs), "is": "maybe"}))


@odd(outcome="PROTOCOL", says="unknown t")
def speaks_another_language(session, identity, docs, answer):
    """Writes a frame of a kind that the protocol does not know."""
    session.write({"t": "progress", "id": identity, "done": 0.5})
    session.reply_honestly(identity, docs, answer)


@odd(outcome="PROTOCOL", says="a pong of 4 came unasked")
def pongs_unasked(session, identity, docs, answer):
    """Answers a ping that never came."""
    session.write({"t": "pong", "n": 4})
    session.reply_honestly(identity, docs, answer)


@odd(finding="receipts")
def omits_receipts(session, identity, docs, answer):
    """Leaves the receipts out of an answer."""
    session.write({**answer, "id": identity})
    session.count(identity, answer["is"])


@odd(finding="receipts")
def gives_no_receipts(session, identity, docs, answer):
    """Answers without a receipt for the document."""
    session.seen = lambda docs: {}
    session.reply_honestly(identity, docs, answer)


@odd(finding="receipts")
def lies_about_receipts(session, identity, docs, answer):
    """Gives a receipt for another document, as one does that judges a copy."""
    session.write({**answer, "id": identity, "seen": session.seen({"doc": docs["doc"] + b"\n"})})
    session.count(identity, answer["is"])


@whole(finding="chain")
def wrong_chain(session):
    """States the chain of other answers at goodbye."""
    session.chain = "f" * 64


@whole(finding="chain")
def wrong_served(session):
    """Counts one answer too many."""
    session.served = 1


@whole(finding="chain")
def chains_accepts(session):
    """Chains every verdict as accept, as one does that counts questions and not answers."""
    count = session.count
    session.count = lambda identity, verdict: count(identity, "accept")


@whole(finding="unstable")
def forgets_after_hundred(session):
    """Answers every document after the hundredth as if it were malformed."""
    session.answer = lambda request: SOVEREIGN.answer(request) if session.served < 100 else reject("A_JSON")


@whole(finding="unstable")
def remembers_the_last(session):
    """Gives a rejection the codes of the rejection before it."""
    last = accept()

    def answer(request):
        nonlocal last
        before, last = last, SOVEREIGN.answer(request)
        return before if last["is"] == "reject" and before["is"] == "reject" else last

    session.answer = answer


@odd(outcome="BROKEN-PROMISE")
def breaks_its_promise(session, identity, docs, answer):
    """Calls a document of a declared operation unsupported."""
    session.reply_honestly(identity, docs, unsupported("canon.bytes/true"))


@whole(outcome="BROKEN-PROMISE")
def promises_everything(session):
    """Declares three profiles and has one."""
    session.ops = {"canon.bytes": {"profile": ["sovereign", "episode", "authority"]}}
    own = {"sovereign": SOVEREIGN.answer}
    session.answer = lambda request: own.get(request.args["profile"], lambda _: unsupported("profile"))(request)


@whole(outcome="FAULT")
def faults_on_every_tenth(session):
    """Breaks on every tenth case of a process."""
    broken = fault("panic", "the tenth is too many")
    session.answer = lambda request: broken if seen_cases(session) % 10 == 0 else SOVEREIGN.answer(request)


def seen_cases(session):
    """How many cases the session has had, this one included; faults count too."""
    session.cases = getattr(session, "cases", 0) + 1
    return session.cases


@whole(laws=["canon/sovereign"])
def over_every_limit(session):
    """Rejects everything as beyond its limits."""
    session.answer = lambda request: reject("A_LIMIT")


@whole(finding="hello", says="no hello within")
def hangs_at_start(session):
    """Does nothing at all."""
    held_clock.hang()


@whole(finding="hello", says="no hello within")
def never_says_hello(session):
    """Listens and never says hello."""
    session.hello = lambda frame: threading.Thread(target=held_clock.hang, daemon=True).start()


@whole(finding="hello", says="its output ends")
def exits_at_once(session):
    """Ends before it has said anything."""
    sys.exit(0)


@whole(finding="hello", says="refuses")
def refuses_the_version(session):
    """Refuses the version that it is offered."""

    def refuse(frame):
        session.write({"t": "refuse", "why": "proto", "supported": [2, 3]})
        return True

    session.hello = refuse


@whole(finding="hello", says="no hello frame")
def says_hello_wrongly(session):
    """Declares its operations as a list."""
    session.ops = ["canon.bytes"]


@whole(finding="hello", says="in_flight 0")
def takes_no_case(session):
    """Says hello and takes no case at a time."""
    session.in_flight = 0
