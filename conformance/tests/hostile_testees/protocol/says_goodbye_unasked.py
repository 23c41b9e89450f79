"""Says goodbye after ten answers."""

from hostile import run


def trick(session):
    case = session.case

    def case_or_bye(frame):
        session.bye() if session.served == 10 else case(frame)

    session.case = case_or_bye


run(trick)
