import java.io.IOException;
import java.util.Map;
import org.erdtman.jcs.JsonCanonicalizer;

/** io.github.erdtman:java-json-canonicalization. It reads the text itself, and at the top objects and arrays alone. */
final class Erdtman {
    public static void main(String[] args) {
        Canon.serve(args, Map.of("roots", "containers"), IOException.class, doc -> new JsonCanonicalizer(doc).getEncodedUTF8());
    }
}
