import { ReplyBuilder, Reply } from "./builder.js";

export function mcpSafeTool<A>(tool: (args: A) => Promise<Reply>) {
  const crashed = (crash: unknown) => new ReplyBuilder().error("MCP-SYS-E-001", { crash: String(crash) });
  return async (args: A) => {
    const began = Date.now();
    const reply = await tool(args).catch(crashed);
    return {
      status: reply.replyType === "S" ? "success" : "error",
      reply_type: reply.replyType,
      data: reply.data,
      meta: { trace_id: crypto.randomUUID(), duration_ms: Date.now() - began },
      error: null,
    };
  };
}
