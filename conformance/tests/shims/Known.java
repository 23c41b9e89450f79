import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The reader of the protocol's own frames, behind the writer that readers share. */
final class Known {
    public static void main(String[] arguments) {
        Map<String, Object> about = Map.of("testee", Map.of("name", "frames", "version", "known", "lang", "java"));
        Atp.serve(about, Map.of("canon.bytes", Map.of("profile", List.of("rfc8785"))), request -> {
            Object value;
            try {
                value = new Atp.Json(request.docs().get("doc")).whole();
            } catch (Atp.BadFrame error) {
                return Atp.reject("A_JSON");
            }
            byte[] octets = Canonical.written(value).getBytes(StandardCharsets.UTF_8);
            return Atp.accept(Map.of("bytes", Base64.getEncoder().encodeToString(octets), "sha256", Atp.sha256(octets)));
        });
    }
}
