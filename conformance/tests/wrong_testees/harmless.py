"""Testees that look odd and do nothing wrong: a harness that fails one of them is too strict."""

import os
import queue
import threading

import held_clock
from conduct import odd, whole

BATCH = 8
FLOOD = 100 << 20


@odd("harmless")
def in_no_hurry(session, identity, docs, answer):
    """Answers a certain document after a third of the time allowed."""
    held_clock.sleep(session.allowed / 3)
    session.reply_honestly(identity, docs, answer)


@odd("harmless")
def floods_stderr(session, identity, docs, answer):
    """Writes a hundred megabytes to standard error and answers rightly."""
    for _ in range(FLOOD >> 20):
        os.write(2, b"y" * ((1 << 20) - 1) + b"\n")
    session.reply_honestly(identity, docs, answer)


@whole("harmless")
def starts_late(session):
    """Takes a second before it says hello."""
    held_clock.sleep(1)


@odd("harmless")
def says_more_than_asked(session, identity, docs, answer):
    """Adds members to its answer that the protocol does not know."""
    session.reply_honestly(identity, docs, {**answer, "took_us": 12, "notes": ["fast", None]})


@whole("harmless")
def answers_in_reverse(session):
    """Takes eight cases at a time and answers the last of them first."""
    lines = queue.Queue()
    session.in_flight = BATCH
    waiting = []
    take, judge = session.read, session.case

    def listen():
        line = b""
        # No reading after goodbye: a process cannot end cleanly while one of its threads waits for input.
        while line is not None and b'"bye"' not in line:
            line = take()
            lines.put(line)

    def answer_waiting():
        while waiting:
            judge(waiting.pop())

    def read():
        while True:
            try:
                # What does not come within a moment will not come before an answer.
                line = lines.get(timeout=0.05 if waiting else None)
            except queue.Empty:
                answer_waiting()
                continue
            if line is None or b'"case"' not in line:
                answer_waiting()
            return line

    def case(frame):
        waiting.append(frame)
        if len(waiting) == BATCH:
            answer_waiting()

    session.read, session.case = read, case
    threading.Thread(target=listen, daemon=True).start()
