package org.planted.tools;

import static org.planted.reply.Codes.Legacy.OPENED;

import java.util.Map;
import org.planted.reply.*;
import org.planted.reply.Codes.Legacy;
import org.planted.reply.Codes.Texts;

/** Tools that read, with their codes given in every way. */
public class Read implements Texts {
    private static final String HERE = "WA-READ-E-405";
    private String sometimes = "WA-READ-E-406";
    private final ReplyBuilder builder;

    Read(ReplyBuilder builder) {
        this.builder = builder;
    }

    @Tool
    @McpSafeTool
    public Reply find(String name) {
        ReplyBuilder rb = new ReplyBuilder();
        if (name == null) {
            return rb.invalid("WA-RES-I-001", Map.of("name", name));
        }
        if (name.equals("?")) {
            return rb.invalid("wa-res-i-001", null); // fault: reply/code-shape reply/code-registered
        }
        if (name.equals("!")) {
            return rb.invalid(UNKNOWN_NAME, null);
        } else if (name.equals("old")) {
            return rb.invalid(Texts.RETIRED, null); // fault: reply/code-registered
        } else if (name.equals("file")) {
            return rb.invalid(NO_FILE, null);
        }
        if (name.equals("disk")) return rb.error(Legacy.BY_NAME.get("disk"), null);
        if (name.equals("gone")) return rb.error(Legacy.BY_NAME.get("gone"), null); // fault: reply/code-registered
        if (name.equals("changed")) return rb.error(Legacy.changed, null);
        if (name.equals("sometimes")) return rb.error(sometimes, null);
        if (name.equals("here")) return rb.error(HERE, null); // fault: reply/code-registered
        return rb.success(Map.of("name", name));
    }

    @McpSafeTool
    @Tool(name = "gate")
    public Reply gate(String name) {
        var rb = new ReplyBuilder();
        Codes code = Codes.CLOSED;
        switch (name) {
            case "closed":
                return rb.invalid(code.code(), null);
            case "yours":
                return rb.invalid(Codes.NOT_YOURS.code(), null); // fault: reply/type-agrees
            case "alien":
                return rb.error(Codes.ALIEN.code(), null); // fault: reply/code-registered reply/layer-closed
            case "none":
                return rb.denied(); // fault: reply/builder-api
        }
        if (name.equals("open")) {
            return rb.invalid(OPENED, null); // fault: reply/code-registered reply/contract-area-gate reply/area-registered
        }
        final String layer = "EN";
        if (name.equals("en")) {
            return rb.invalid(layer + "-WRITE-I-001", null); // fault: reply/code-registered reply/layer-type-matrix
        }
        if (name.equals("two")) {
            return rb.invalid(name.isEmpty() ? "WA-RES-I-001" : "WA-RES-E-001", null); // fault: reply/code-registered reply/type-agrees
        }
        // Which of two codes arrives is not for a reader of sources to say.
        String answer = name.isEmpty() ? "EN-WRITE-D-001" : "EN-WRITE-E-001";
        if (answer.endsWith("D-001")) {
            return rb.denied(answer, null);
        }
        return rb.error(answer, null);
    }

    @Tool
    @McpSafeTool
    public Reply chosen(String way) {
        return switch (way) {
            case "up" -> builder.invalid("WA-RES-I-001", null);
            case "down" -> {
                builder.info("down"); // fault: reply/no-forbidden-methods
                yield builder.success(null);
            }
            default -> throw new IllegalArgumentException(way);
        };
    }

    Reply helper(ReplyBuilder rb, String code) {
        return rb.invalid(code, null);
    }
}
