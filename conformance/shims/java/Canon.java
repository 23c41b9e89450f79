import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Libraries that write canonical JSON in Java as testees: a class like those beside this one says how a library is called. */
final class Canon {
    /** What a library makes of a document. */
    interface Library {
        byte[] canonical(byte[] document) throws Exception;
    }

    /** The parser before a library, or the library itself, refuses. This is a judgement, with its code. */
    static final class Refused extends Exception {
        private final String code;

        Refused(String code) {
            this.code = code;
        }
    }

    /** Serves the library that args names, with its version; an exception of the class refuses too, any other is a fault. */
    static void serve(String[] args, Map<String, Object> capabilities, Class<? extends Exception> refusal, Library library) {
        // One that reads the text itself does not tell what is not JSON from what is not I-JSON.
        String code = "value".equals(capabilities.get("input")) ? "A_VALUE" : "A_JSON";
        Map<String, Object> about = Map.of(
                "testee", Map.of("name", args[0], "version", args[1], "lang", "java"),
                "shim", Map.of("name", "assize-canon-java", "version", "2"),
                "capabilities", capabilities);
        Atp.serve(about, Map.of("canon.bytes", Map.of("profile", List.of("rfc8785"))), request -> {
            try {
                byte[] octets = library.canonical(request.docs().get("doc"));
                return Atp.accept(Map.of("bytes", Base64.getEncoder().encodeToString(octets), "sha256", Atp.sha256(octets)));
            } catch (Refused error) {
                return Atp.reject(error.code);
            } catch (StackOverflowError error) {
                return Atp.reject("A_LIMIT");
            } catch (Exception error) {
                if (refusal.isInstance(error)) {
                    return Atp.reject(code);
                }
                throw error;
            }
        });
    }
}
