import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

final class Stub {
    public static void main(String[] args) {
        Canon.serve(args, Map.of(), IOException.class, doc -> {
            String text = new String(doc, StandardCharsets.UTF_8);
            if (text.isEmpty() || text.equals("null")) {
                throw new IOException("refused");
            }
            if (text.startsWith("\"")) {
                throw new IllegalStateException("a slip");
            }
            return "[]".getBytes(StandardCharsets.UTF_8);
        });
    }
}
