package org.planted.reply;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Makes tools safe. */
public @interface McpSafeTool {}

final class Wrapper {
    private Wrapper() {}

    static Function<Map<String, Object>, Map<String, Object>> mcpSafeTool(Function<Map<String, Object>, Reply> tool) {
        return args -> {
            Reply reply;
            try {
                reply = tool.apply(args);
            } catch (RuntimeException crash) {
                reply = crashed(crash);
            }
            return envelope(reply);
        };
    }

    private static Reply crashed(RuntimeException crash) {
        return new ReplyBuilder().error("MCP-SYS-E-001", null);
    }

    private static Map<String, Object> envelope(Reply reply) {
        return Map.of(
            "status", reply.replyType().equals("S") ? "success" : "error",
            "reply_type", reply.replyType(),
            "data", reply.data(),
            "meta", Map.of("trace_id", "x"));
    }
}
