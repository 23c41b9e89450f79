"""What an agent makes of replies."""

import logging

from reply import Reply, ReplyBuilder

log = logging.getLogger(__name__)


class Agent:
    def __init__(self, rb: ReplyBuilder):
        self.rb = rb

    def refuse(self):
        self.rb.fail("EN-WRITE-D-001")  # fault: reply/no-forbidden-methods
        return self.rb.denied("EN-WRITE-D-001")

    def broken(self):
        return self.rb.denied("EN-WRITE-D-777")  # fault: reply/code-registered


def follow(reply: Reply, envelope: "ReplyEnvelope"):
    if "not found" in reply.message:  # fault: reply/branch-on-code
        return "retry"
    if envelope["error"]["message"].startswith("denied"):  # fault: reply/branch-on-code
        return "ask"
    text = str(reply).lower()
    if text == "ok":  # fault: reply/branch-on-code
        return "go on"
    if reply.code == "WA-RES-I-001" and reply.reply_type == "I":
        return "retry"
    log.info("not a builder")
    log.error("neither is this")
    return "stop"


def allowed(rb):
    # assize: allow reply/no-forbidden-methods the old agents still send it
    rb.info("old")
    rb.warn("older")  # assize: allow reply/no-forbidden-methods until the agents are gone
    return rb.success()
