"""A second source for the reply system, continued: what an agent does. See `reply.py`."""

from reply import STATUS, Report, answering, read

ACTIONS = {"S": "proceed", "I": "correct-and-retry", "D": "escalate", "E": "stop"}


@answering
def action(document):
    """`reply.action`."""
    value, report = read(document), Report()
    if not isinstance(value, dict):
        # It lacks every member; whether it is told of as a whole or by them is open.
        report.find("R22", "", None)
        return report.answer()
    kind = value.get("reply_type")
    if not isinstance(kind, str):
        report.find("R22", "/reply_type", "form" if "reply_type" in value else "gap")
        return report.answer()
    if kind not in STATUS:
        report.find("R02", "/reply_type")
        return report.answer()
    trace_id = None
    if kind == "E":
        meta = value.get("meta")
        trace_id = meta.get("trace_id") if isinstance(meta, dict) else None
        if not isinstance(meta, dict):
            report.find("R22", "/meta", "form" if "meta" in value else "gap")
        elif not isinstance(trace_id, str) or not trace_id:
            report.find("R22", "/meta/trace_id", "form" if "trace_id" in meta else "gap")
    answer = report.answer(action=ACTIONS[kind], trace_id=trace_id)
    # An action has no advice.
    answer["out"].pop("advice", None)
    return answer
