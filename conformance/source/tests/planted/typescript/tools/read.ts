// Tools that read, with their codes given in every way.
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ReplyBuilder, mcpSafeTool } from "../reply";
import * as codes from "../reply/codes.js";
import { Codes, Legacy, NO_FILE, RETIRED, UNKNOWN_NAME as UNKNOWN } from "../reply/codes.js";

export const find = mcpSafeTool(async ({ name }: { name: string }) => {
  const rb = new ReplyBuilder();
  if (!name) return rb.invalid("WA-RES-I-001", { name });
  if (name === "?") return rb.invalid("wa-res-i-001"); // fault: reply/code-shape reply/code-registered
  if (name === "!") return rb.invalid(UNKNOWN);
  if (name === "old") return rb.invalid(RETIRED); // fault: reply/code-registered
  if (name === "file") return rb.invalid(NO_FILE);
  if (name === "disk") return rb.error(codes.ByName.disk);
  if (name === "gone") return rb.error(codes.ByName["gone"]); // fault: reply/code-registered
  return rb.success({ name });
});

async function gate(name: string) {
  const rb = new ReplyBuilder();
  let code: string = Codes.Closed;
  switch (name) {
    case "closed":
      return rb.invalid(code);
    case "yours":
      return rb.invalid(Codes.NotYours); // fault: reply/type-agrees
    case "alien":
      return rb.error(Codes.Alien as string); // fault: reply/code-registered reply/layer-closed
    case "none":
      return rb.denied(); // fault: reply/builder-api
  }
  code = Legacy.OPENED;
  if (name === "open") {
    return rb.invalid(code); // fault: reply/code-registered reply/contract-area-gate reply/area-registered
  }
  const layer = "EN";
  if (name === "en") return rb.invalid(`${layer}-WRITE-I-001`); // fault: reply/code-registered reply/layer-type-matrix
  const answer = name ? "EN-WRITE-D-001" : "EN-WRITE-E-001";
  if (answer.endsWith("D-001")) return rb.denied(answer);
  return name ? rb.error(answer) : rb.invalid("WA-RES-E-001"); // fault: reply/code-registered reply/type-agrees
}

export function register(server: McpServer) {
  server.tool("find", {}, find);
  server.tool("gate", {}, mcpSafeTool(gate));
}
