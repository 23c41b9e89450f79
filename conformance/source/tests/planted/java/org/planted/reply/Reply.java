package org.planted.reply;

import java.util.Map;

public record Reply(String replyType, String code, Map<String, Object> data) {
    public String message() {
        return code;
    }

    public Reply withData(Map<String, Object> data) {
        return new Reply(replyType, code, data);
    }
}
