import { ReplyBuilder, mcpSafeTool } from "./reply.js";

export const open = mcpSafeTool(async (path: string) => {
  const rb = new ReplyBuilder();
  const reply = path ? rb.success({ path }) : rb.invalid("WA-RES-I-001");
  console.log(reply.code);
  return reply;
});
