package org.planted.tools;

import java.util.Objects;
import java.util.logging.Logger;
import org.planted.reply.Reply;
import org.planted.reply.ReplyBuilder;
import org.planted.reply.ReplyEnvelope;

/** What an agent makes of replies. */
class Agent {
    private static final Logger LOG = Logger.getLogger("agent");
    private final ReplyBuilder builder;

    Agent(ReplyBuilder rb) {
        if (rb == null) {
            rb = new ReplyBuilder();
        }
        this.builder = rb;
    }

    Reply refuse() {
        builder.fail("EN-WRITE-D-001"); // fault: reply/no-forbidden-methods
        return this.builder.denied("EN-WRITE-D-001", null);
    }

    static Reply broken(Agent agent) {
        return agent.builder.denied("EN-WRITE-D-777", null); // fault: reply/code-registered
    }

    String follow(Reply reply, ReplyEnvelope answer) {
        if (reply.message().equals("not found")) { // fault: reply/branch-on-code
            return "retry";
        }
        if (answer.error().getMessage().startsWith("denied")) { // fault: reply/branch-on-code
            return "ask";
        }
        String text = String.valueOf(reply).toLowerCase();
        switch (text) { // fault: reply/branch-on-code
            case "ok":
                return "go on";
            default:
                break;
        }
        if (Objects.equals(reply.code(), "WA-RES-I-001") && reply.replyType().equals("I")) {
            return "retry";
        }
        LOG.info("not a builder");
        return "stop";
    }

    Reply allowed(ReplyBuilder rb) {
        // assize: allow reply/no-forbidden-methods the old agents still send it
        rb.info("old");
        rb.warn("older"); // assize: allow reply/no-forbidden-methods until the agents are gone
        return rb.success(null);
    }
}
