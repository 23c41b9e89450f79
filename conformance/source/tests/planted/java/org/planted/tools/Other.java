package org.planted.tools;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** Names that look alike and are something else. */
class Other {
    static final Map<String, Object> SCHEMA = Map.of(
        "status", Map.of("type", "string"),
        "reply_type", Map.of("enum", List.of("S", "I", "D", "E")),
        "meta", Map.of("type", "object"));

    interface Builds<T> {
        T success(Object data);

        T invalid(String code);

        T denied(String code);

        T error(String code);
    }

    static class Console {
        Map<String, Object> info(String text) {
            return Map.of("text", text);
        }

        void fail(String text) {
            throw new IllegalStateException(text);
        }

        void error(String text) {}
    }

    private final Console rb = new Console();

    Map<String, Object> show(Console console, List<ByteBuffer> buffers) {
        console.info("fine");
        rb.error("no builder, by its type");
        this.rb.error("nor this");
        for (ByteBuffer rb : buffers) {
            rb.get();
        }
        try {
            console.fail("x");
        } catch (IllegalStateException failed) {
            if (failed.getMessage().contains("x")) {
                return null;
            }
        }
        Map<String, Object> status = Map.of("status", "success", "data", 1);
        return status;
    }
}
