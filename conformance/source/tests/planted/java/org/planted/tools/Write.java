package org.planted.tools;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.planted.reply.McpSafeTool;
import org.planted.reply.Reply;
import org.planted.reply.ReplyBuilder;
import org.planted.reply.ReplyEnvelope;

/** Tools whose builder is used in a wrong order, or not at all. */
@McpSafeTool
public class Write {
    @Tool
    public Reply forbidden(String name) {
        ReplyBuilder rb = new ReplyBuilder();
        rb.info("begun"); // fault: reply/no-forbidden-methods
        rb.partial(Map.of("name", name)); // fault: reply/builder-api
        return rb.success(Map.of("name", name));
    }

    @Tool
    public Reply late(String name) {
        ReplyBuilder rb = new ReplyBuilder();
        if (name.equals("a")) {
            Reply reply = rb.error("WA-READ-E-001", null); // fault: reply/terminal-return
            System.out.println("failed");
            return reply;
        }
        if (name.equals("b")) {
            rb.error("WA-READ-E-001", null); // fault: reply/terminal-return
            return rb.success(null); // fault: reply/terminal-freeze
        }
        if (name.equals("c")) {
            Reply reply = rb.error("WA-READ-E-001", null);
            return reply;
        }
        Reply reply;
        switch (name) {
            case "d":
                reply = rb.denied("EN-WRITE-D-001", null);
                break;
            case "e":
                reply = rb.success(null);
                break;
            default:
                reply = rb.invalid("WA-RES-I-001", null);
        }
        return reply;
    }

    @Tool
    public CompletableFuture<Reply> second(String name) {
        ReplyBuilder rb = new ReplyBuilder();
        if (!name.isEmpty()) {
            return CompletableFuture.completedFuture(rb.invalid("WA-RES-I-001", null));
        }
        ReplyBuilder other = new ReplyBuilder(); // fault: reply/single-builder
        return CompletableFuture.completedFuture(other.success(null));
    }

    @Tool
    public Object direct(String name) {
        if (!name.isEmpty()) {
            return new Reply("S", "WA-RES-S-001", Map.of()); // fault: reply/single-builder
        }
        if (name.equals("made")) {
            return new ReplyEnvelope("success"); // fault: reply/envelope-separation
        }
        return Map.of("status", "success", "reply_type", "S", "data", 1, "meta", Map.of()); // fault: reply/envelope-separation reply/no-raw-return
    }

    @Tool
    public Object raw(String name) {
        ReplyBuilder rb = new ReplyBuilder();
        if (name.equals("text")) {
            return "done"; // fault: reply/no-raw-return
        }
        if (name.equals("map")) {
            Map<String, Object> answer = new HashMap<>();
            answer.put("done", true);
            return answer; // fault: reply/no-raw-return
        }
        if (name.equals("json")) {
            return mapper.writeValueAsString(name); // fault: reply/no-raw-return
        }
        return name.isEmpty() ? rb.success(null) : null; // fault: reply/no-raw-return
    }

    @Tool
    public String spelled(String name) {
        return describe(name); // fault: reply/no-raw-return
    }

    @Tool
    public void forgetful(String name) { // fault: reply/no-raw-return
        ReplyBuilder rb = new ReplyBuilder();
        rb.success(Map.of("name", name));
    }

    Reply guarded(String name) {
        return null; // fault: reply/no-raw-return
    }

    void register(Server server) {
        server.addTool("guarded", Wrapper.mcpSafeTool(this::guarded));
        server.addTool("brief", args -> "done"); // fault: reply/crash-is-error reply/no-raw-return
    }
}

class Unsafe {
    static Reply handle(String name) {
        return new ReplyBuilder().success(null);
    }

    void register(Server server) {
        server.addTool("handle", Unsafe::handle); // fault: reply/crash-is-error
    }

    @Tool
    Reply find(String name) { // fault: reply/crash-is-error
        return new ReplyBuilder().success(null);
    }
}
