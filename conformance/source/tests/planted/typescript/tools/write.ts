// Tools whose builder is used in a wrong order, or not at all.
import { Reply, ReplyBuilder, mcpSafeTool as safe } from "../reply/index.js";
import { server } from "./server.js";

export const forbidden = safe(async (name: string) => {
  const rb = new ReplyBuilder();
  rb.info("begun"); // fault: reply/no-forbidden-methods
  rb["warn"]("slow"); // fault: reply/no-forbidden-methods
  const fail = rb.fail;
  fail("WA-READ-E-001"); // fault: reply/no-forbidden-methods
  rb.partial({ name }); // fault: reply/builder-api
  return rb.success({ name });
});

export const late = safe(async (name: string) => {
  const rb = new ReplyBuilder();
  if (name === "a") {
    const reply = rb.error("WA-READ-E-001"); // fault: reply/terminal-return
    console.error("failed");
    return reply;
  }
  if (name === "b") {
    rb.error("WA-READ-E-001"); // fault: reply/terminal-return
    return rb.success(); // fault: reply/terminal-freeze
  }
  let reply: Reply;
  switch (name) {
    case "c":
      reply = rb.denied("EN-WRITE-D-001");
      break;
    case "d":
      reply = rb.success();
      break;
    default:
      reply = rb.invalid("WA-RES-I-001");
  }
  return reply;
});

export const second = safe(async (name: string) => {
  const rb = new ReplyBuilder();
  if (name) return Promise.resolve(rb.invalid("WA-RES-I-001"));
  const other = new ReplyBuilder(); // fault: reply/single-builder
  return other.success();
});

export const direct = safe(async (name: string) => {
  if (name) return new Reply("S", "WA-RES-S-001", {}); // fault: reply/single-builder
  return { status: "success", reply_type: "S", data: {}, meta: {}, error: null }; // fault: reply/envelope-separation reply/no-raw-return
});

export const raw = safe(async (name: string) => {
  const rb = new ReplyBuilder();
  if (name === "text") return "done"; // fault: reply/no-raw-return
  if (name === "object") {
    const answer = { done: true };
    return answer; // fault: reply/no-raw-return
  }
  if (name === "json") return JSON.stringify({ done: true }); // fault: reply/no-raw-return
  if (name === "nothing") return; // fault: reply/no-raw-return
  return name ? rb.success() : null; // fault: reply/no-raw-return
});

async function forgetful(name: string) { // fault: reply/no-raw-return
  const rb = new ReplyBuilder();
  rb.success({ name });
}
server.registerTool("forgetful", {}, safe(forgetful));

type Way = "up" | "down";

export const chosen = safe(async (way: Way) => {
  switch (way) {
    case "up":
      return new ReplyBuilder().success({ way });
    case "down":
      return new ReplyBuilder().success({});
  }
});

async function unsafe(name: string) {
  return new ReplyBuilder().success({ name });
}
server.registerTool("unsafe", {}, unsafe); // fault: reply/crash-is-error
server.tool("brief", async () => ({ content: [] })); // fault: reply/crash-is-error reply/no-raw-return
