import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

final class Stub {
    public static void main(String[] args) {
        Canon.serve(args, Map.of(), IOException.class, doc -> {
            switch (new String(doc, StandardCharsets.UTF_8)) {
                case "null", "" -> throw new IOException("refused");
                case "0" -> throw new IllegalStateException("a slip");
                default -> {
                    return "[]".getBytes(StandardCharsets.UTF_8);
                }
            }
        });
    }
}
