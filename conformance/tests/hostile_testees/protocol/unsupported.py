"""Says that it does not have what it declares."""

from hostile import sends


def send(session, frame):
    session.write({"t": "unsupported", "id": frame["id"], "feature": "everything"})


sends(send)
