import io.setl.json.CanonicalJsonProvider;
import io.setl.json.Canonical;
import jakarta.json.JsonException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** io.setl:canonical-json. It reads the text itself. */
final class Setl {
    public static void main(String[] args) {
        CanonicalJsonProvider provider = new CanonicalJsonProvider();
        Canon.serve(args, Map.of(), JsonException.class, doc -> Canonical.cast(
                provider.createReader(new ByteArrayInputStream(doc)).readValue()).toCanonicalString().getBytes(StandardCharsets.UTF_8));
    }
}
