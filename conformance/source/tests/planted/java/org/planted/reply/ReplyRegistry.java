package org.planted.reply;

import java.util.List;

public final class ReplyRegistry {
    public static final ReplyRegistry CANONICAL = new ReplyRegistry(List.of("WA-RES-I-001"));
    static final ReplyRegistry LEGACY = new ReplyRegistry(List.of("WA-RES-I-001")); // fault: reply/single-registry

    private final List<String> codes;

    ReplyRegistry(List<String> codes) {
        this.codes = codes;
    }
}
