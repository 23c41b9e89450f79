// What an agent makes of replies.
import { Reply, ReplyBuilder } from "../reply";

export class Agent {
  constructor(private readonly rb: ReplyBuilder) {}

  refuse() {
    this.rb.fail("EN-WRITE-D-001"); // fault: reply/no-forbidden-methods
    return this.rb.denied("EN-WRITE-D-001");
  }

  broken() {
    return this.rb.denied("EN-WRITE-D-777"); // fault: reply/code-registered
  }
}

export function follow(reply: Reply, answer: ReplyEnvelope) {
  if (reply.message === "not found") return "retry"; // fault: reply/branch-on-code
  if (answer.error?.message.startsWith("denied")) return "ask"; // fault: reply/branch-on-code
  const text = String(reply).toLowerCase();
  switch (text) { // fault: reply/branch-on-code
    case "ok":
      return "go on";
  }
  if (reply.code === "WA-RES-I-001" && reply.replyType === "I") return "retry";
  console.info("not a builder");
  return <p>{reply.message}</p>;
}

export function allowed(rb) {
  // assize: allow reply/no-forbidden-methods the old agents still send it
  rb.info("old");
  rb.warn("older"); // assize: allow reply/no-forbidden-methods until the agents are gone
  return rb.success();
}
