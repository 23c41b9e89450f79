package org.planted.reply;

import java.util.Map;

public class ReplyBuilder {
    private boolean frozen;

    private Reply make(String kind, String code, Map<String, Object> data) {
        if (frozen) {
            throw new IllegalStateException("frozen");
        }
        frozen = !kind.equals("S");
        return new Reply(kind, code, data);
    }

    public Reply success(Map<String, Object> data) {
        return make("S", "MCP-SYS-S-001", data);
    }

    public Reply invalid(String code, Map<String, Object> data) {
        return make("I", code, data);
    }

    public Reply denied(String code, Map<String, Object> data) {
        return make("D", code, data);
    }

    public Reply error(String code, Map<String, Object> data) {
        return make("E", code, data);
    }

    public Reply warn(String text) { // fault: reply/no-forbidden-methods
        return success(Map.of("warnings", text));
    }
}

class QuietBuilder extends ReplyBuilder { // fault: reply/single-builder
    @Override
    public Reply error(String code, Map<String, Object> data) {
        return super.error(code, null);
    }
}
