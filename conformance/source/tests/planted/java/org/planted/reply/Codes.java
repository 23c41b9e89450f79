package org.planted.reply;

import java.util.Map;

/** Codes, each with its text. */
public enum Codes {
    CLOSED("CT-GATE-I-001"),
    NOT_YOURS("EN-WRITE-D-001"),
    ALIEN("DB-READ-E-001");

    private final String code;

    Codes(String code) {
        this.code = code;
    }

    public String code() {
        return code;
    }

    /** Codes that are constants. */
    public interface Texts {
        String UNKNOWN_NAME = "WA-RES-I-001";
        String RETIRED = "WA-RES-I-009";
        String LAYER = "WA";
        String NO_FILE = LAYER + "-READ-I-001";
    }

    /** Codes that were codes once. */
    public static final class Legacy {
        public static final String OPENED = String.format("%s-OPEN-I-001", "CT");
        public static final Map<String, String> BY_NAME = Map.of("disk", "WA-READ-E-001", "gone", "WA-READ-E-404");
        public static String changed = "WA-READ-E-404";

        private Legacy() {}
    }
}
