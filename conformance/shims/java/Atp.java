import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The testee's side of ATP/1, the line protocol of Assize, for testees and shims in Java 17, with the platform's own library
 * alone: copy this file next to your own and write a function from a Request to an answer. Standard output belongs to the
 * protocol: print to System.err, or not at all.
 *
 * <p>JSON stands as Map, List, String, Number, Boolean and null.
 */
final class Atp {
    private static final long PROTOCOL = 1;
    private static final int BAD_INPUT = 3;

    /** One question. docs holds the exact bytes to judge; root is the case's folder, if it has one. */
    record Request(String op, Map<String, Object> args, Map<String, byte[]> docs, String root) {}

    /** What is asked of an implementation. What it lets escape is a fault, never a rejection. */
    interface Testee {
        Map<String, Object> answer(Request request) throws Exception;
    }

    /** The implementation accepts; out as it travels: doc as JSON text, bytes as base64, value as plain JSON. */
    static Map<String, Object> accept(Map<String, Object> out) {
        return Map.of("t", "answer", "is", "accept", "out", out);
    }

    /** The implementation refuses. This is a judgement: a crash or an exception is not one. */
    static Map<String, Object> reject(String... codes) {
        return Map.of("t", "answer", "is", "reject", "codes", List.of(codes));
    }

    /** The implementation broke, and nobody knows what it would have said. */
    static Map<String, Object> fault(String kind, String message) {
        return Map.of("t", "fault", "kind", kind, "message", message);
    }

    /** SHA-256 as it travels. */
    static String sha256(byte[] octets) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }

    private final Map<String, Object> about;
    private final Map<String, Map<String, List<String>>> ops;
    private final Testee testee;
    private final InputStream in = new BufferedInputStream(System.in, 1 << 16);
    private long limit = 8 << 20;
    private boolean greeted;
    private long served;
    private String chain = "0".repeat(64);

    private Atp(Map<String, Object> about, Map<String, Map<String, List<String>>> ops, Testee testee) {
        this.about = about;
        this.ops = ops;
        this.testee = testee;
    }

    /** Serves one session and ends the process. about holds what hello says beside ops. */
    static void serve(Map<String, Object> about, Map<String, Map<String, List<String>>> ops, Testee testee) {
        int status = 0;
        try {
            Atp session = new Atp(about, ops, testee);
            for (byte[] line = session.read(); line != null; line = session.read()) {
                if (session.step(Json.object(new Json(line).whole()))) {
                    break;
                }
            }
        } catch (BadFrame | IOException error) {
            System.err.println("atp: " + error.getMessage() + "; see the protocol's page for the frames");
            status = BAD_INPUT;
        }
        System.exit(status);
    }

    /** The next line without its line feed; null at the end of the input. */
    private byte[] read() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0 && line.size() == 0) {
                return null;
            }
            if (octet < 0 || line.size() >= limit) {
                throw new BadFrame("a line that is too long, or without its line feed");
            }
            line.write(octet);
        }
        return line.toByteArray();
    }

    /** Does what one line asks; true when it was the last one. */
    private boolean step(Map<String, Object> frame) throws IOException {
        String kind = String.valueOf(frame.get("t"));
        if (kind.equals("hello") && !greeted) {
            return hello(frame);
        }
        if (!greeted) {
            throw new BadFrame("a frame " + kind + " before hello");
        }
        switch (kind) {
            case "case" -> reply(Json.string(frame.get("id")), frame);
            case "ping" -> write(Map.of("t", "pong", "n", frame.get("n")));
            case "bye" -> write(Map.of("t", "bye", "served", served, "chain", chain));
            default -> throw new BadFrame("a frame " + kind + " that has no place here");
        }
        return kind.equals("bye");
    }

    private boolean hello(Map<String, Object> frame) throws IOException {
        if (!(frame.get("proto") instanceof List<?> proto && proto.size() == 2
                && proto.get(0) instanceof Long low && proto.get(1) instanceof Long high)) {
            throw new BadFrame("proto is missing or of a wrong type");
        }
        if (PROTOCOL < low || PROTOCOL > high) {
            write(Map.of("t", "refuse", "why", "proto", "supported", List.of(PROTOCOL)));
            return true;
        }
        greeted = true;
        if (frame.get("limits") instanceof Map<?, ?> limits && limits.get("line") instanceof Long line) {
            limit = line;
        }
        Map<String, Object> said = new LinkedHashMap<>(Map.of("t", "hello", "proto", PROTOCOL, "ops", ops, "in_flight", 1));
        said.putAll(about);
        write(said);
        return false;
    }

    /** Answers one question, and counts the answer once it is written. */
    private void reply(String id, Map<String, Object> frame) throws IOException {
        Map<String, Object> said = new LinkedHashMap<>(judge(frame));
        said.put("id", id);
        if (Json.written(said).length > limit) {
            said = new LinkedHashMap<>(fault("limit", "the answer is longer than limits.line"));
            said.put("id", id);
        }
        write(said);
        if (said.get("t").equals("answer")) {
            served++;
            chain = sha256((chain + "\n" + id + "\n" + said.get("is")).getBytes(StandardCharsets.UTF_8));
        }
    }

    private Map<String, Object> judge(Map<String, Object> frame) {
        Map<String, byte[]> docs = new LinkedHashMap<>();
        Map<String, Object> seen = new LinkedHashMap<>();
        for (Map.Entry<String, Object> one : Json.object(frame.get("in")).entrySet()) {
            Map<String, Object> parcel = Json.object(one.getValue());
            byte[] octets;
            try {
                octets = Base64.getDecoder().decode(Json.string(parcel.get("b64")));
            } catch (IllegalArgumentException error) {
                return fault("receipt", "in." + one.getKey() + ": b64 does not decode: " + error.getMessage());
            }
            String found = sha256(octets);
            if (!found.equals(parcel.get("sha256"))) {
                return fault("receipt", "in." + one.getKey() + ": the bytes have SHA-256 " + found);
            }
            docs.put(one.getKey(), octets);
            seen.put(one.getKey(), found);
        }
        String op = Json.string(frame.get("op"));
        Map<String, Object> args = Json.object(frame.get("args"));
        Map<String, List<String>> choices = ops.get(op);
        if (choices == null) {
            return Map.of("t", "unsupported", "feature", op);
        }
        for (Map.Entry<String, List<String>> choice : choices.entrySet()) {
            Object value = args.get(choice.getKey());
            if (!(value instanceof String) || !choice.getValue().contains(value)) {
                return Map.of("t", "unsupported", "feature", op + "/" + value);
            }
        }
        try {
            Map<String, Object> said = new LinkedHashMap<>(
                    testee.answer(new Request(op, args, docs, frame.get("root") instanceof String root ? root : null)));
            if (said.get("t").equals("answer")) {
                said.put("seen", seen);
            }
            return said;
        } catch (Exception error) {
            error.printStackTrace();
            return fault("panic", error.toString());
        }
    }

    /** Writes one line and passes it on at once: the harness waits for it. */
    private static void write(Map<String, Object> frame) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        line.write(Json.written(frame));
        line.write('\n');
        System.out.write(line.toByteArray());
        System.out.flush();
    }

    /** What the harness sent is not a frame. Nothing after it can be trusted, so the session ends. */
    static final class BadFrame extends RuntimeException {
        BadFrame(String message) {
            super(message);
        }
    }

    /** JSON for frames alone; integers of up to 18 digits are Long, other numbers Double. */
    static final class Json {
        private final String text;
        private int at;

        Json(byte[] line) {
            try {
                text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
            } catch (CharacterCodingException error) {
                throw new BadFrame("bytes that are not UTF-8");
            }
        }

        Object whole() {
            Object found = value();
            if (peek() != 0) {
                throw new BadFrame("text behind a frame");
            }
            return found;
        }

        /** The next character that is not white space, 0 at the end. */
        private char peek() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean taken(char wanted) {
            boolean there = peek() == wanted;
            at += there ? 1 : 0;
            return there;
        }

        private void take(char wanted) {
            if (!taken(wanted)) {
                throw new BadFrame("no " + wanted + " at " + at);
            }
        }

        private Object value() {
            switch (peek()) {
                case '{' -> {
                    Map<String, Object> found = new LinkedHashMap<>();
                    take('{');
                    for (boolean more = !taken('}'); more; more = !taken('}')) {
                        if (!found.isEmpty()) {
                            take(',');
                        }
                        String name = quoted();
                        take(':');
                        found.put(name, value());
                    }
                    return found;
                }
                case '[' -> {
                    List<Object> found = new ArrayList<>();
                    take('[');
                    for (boolean more = !taken(']'); more; more = !taken(']')) {
                        if (!found.isEmpty()) {
                            take(',');
                        }
                        found.add(value());
                    }
                    return found;
                }
                case '"' -> {
                    return quoted();
                }
                default -> {
                    return word();
                }
            }
        }

        private Object word() {
            int from = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(from, at);
            try {
                return switch (word) {
                    case "null" -> null;
                    case "true", "false" -> Boolean.valueOf(word);
                    default -> word.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(word) : Double.valueOf(word);
                };
            } catch (NumberFormatException error) {
                throw new BadFrame("no JSON value: " + word);
            }
        }

        private String quoted() {
            take('"');
            StringBuilder found = new StringBuilder();
            try {
                for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                    if (c != '\\') {
                        found.append(c);
                        continue;
                    }
                    char escape = text.charAt(at++);
                    int plain = "bfnrt".indexOf(escape);
                    if (escape == 'u') {
                        found.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                        at += 4;
                    } else {
                        found.append(plain < 0 ? escape : "\b\f\n\r\t".charAt(plain));
                    }
                }
            } catch (IndexOutOfBoundsException | NumberFormatException error) {
                throw new BadFrame("a string that does not end, or a broken escape");
            }
            return found.toString();
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) {
            if (value instanceof Map<?, ?> found) {
                return (Map<String, Object>) found;
            }
            throw new BadFrame("no object where one is owed");
        }

        static String string(Object value) {
            if (value instanceof String found) {
                return found;
            }
            throw new BadFrame("no string where one is owed");
        }

        static byte[] written(Object value) {
            StringBuilder into = new StringBuilder();
            write(value, into);
            return into.toString().getBytes(StandardCharsets.UTF_8);
        }

        private static void write(Object value, StringBuilder into) {
            if (value instanceof Map<?, ?> members) {
                char before = '{';
                for (Map.Entry<?, ?> member : members.entrySet()) {
                    write(member.getKey(), into.append(before));
                    write(member.getValue(), into.append(':'));
                    before = ',';
                }
                into.append(members.isEmpty() ? "{}" : "}");
            } else if (value instanceof List<?> elements) {
                char before = '[';
                for (Object element : elements) {
                    write(element, into.append(before));
                    before = ',';
                }
                into.append(elements.isEmpty() ? "[]" : "]");
            } else if (value instanceof String text) {
                into.append('"');
                text.chars().forEach(c -> {
                    // A lone surrogate has no UTF-8; as an escape it would be no I-JSON. A message may quote one.
                    if (c < 0x20 || c == '"' || c == '\\') {
                        into.append(String.format("\\u%04x", c));
                    } else {
                        into.append((char) c);
                    }
                });
                into.append('"');
            } else {
                into.append(value);
            }
        }
    }
}
