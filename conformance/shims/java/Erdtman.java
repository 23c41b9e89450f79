import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.erdtman.jcs.JsonCanonicalizer;

/**
 * io.github.erdtman:java-json-canonicalization as a testee. It reads the text itself, so that input is text, the default; at
 * the top it takes objects and arrays alone.
 */
final class Erdtman {
    public static void main(String[] args) {
        Map<String, Object> about = Map.of(
                "testee", Map.of("name", "java-json-canonicalization", "version", args[0], "lang", "java"),
                "shim", Map.of("name", "assize-canon-java", "version", "1"),
                "capabilities", Map.of("roots", "containers"));
        Atp.serve(about, Map.of("canon.bytes", Map.of("profile", List.of("rfc8785"))), Erdtman::answer);
    }

    private static Map<String, Object> answer(Atp.Request request) {
        try {
            byte[] octets = new JsonCanonicalizer(request.docs().get("doc")).getEncodedUTF8();
            return Atp.accept(Map.of("bytes", Base64.getEncoder().encodeToString(octets), "sha256", Atp.sha256(octets)));
        } catch (IOException error) {
            // The library does not tell what is not JSON from what is not I-JSON.
            return Atp.reject("A_JSON");
        } catch (StackOverflowError error) {
            return Atp.reject("A_LIMIT");
        }
    }
}
