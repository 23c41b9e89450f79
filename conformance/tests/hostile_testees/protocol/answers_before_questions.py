"""Answers a question that nobody has asked yet."""

from hostile import run


def trick(session):
    hello = session.hello

    def hello_and_more(frame):
        done = hello(frame)
        session.write({"t": "answer", "id": "k-0", "seen": {}, "is": "accept", "out": {}})
        return done

    session.hello = hello_and_more


run(trick)
