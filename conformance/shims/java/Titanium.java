import com.apicatalog.jcs.Jcs;
import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * com.apicatalog:titanium-jcs as a testee. It writes a value that a Jakarta JSON parser has read, so that input is value; a
 * lone surrogate and a number beyond the doubles come through that parser, which keeps numbers as decimals and reads 1000
 * levels.
 */
final class Titanium {
    /** Otherwise the parser refuses long integers, which are overflows too, before the library sees them. */
    private static final Map<String, Integer> LONG_NUMBERS = Map.of("org.eclipse.parsson.maxBigDecimalLength", 10_000);

    public static void main(String[] args) {
        Map<String, Object> about = Map.of(
                "testee", Map.of("name", "titanium-jcs", "version", args[0], "lang", "java"),
                "shim", Map.of("name", "assize-canon-java", "version", "1"),
                "capabilities", Map.of("input", "value", "values", List.of("lone-surrogate", "overflow"), "max_depth", 1000));
        Atp.serve(about, Map.of("canon.bytes", Map.of("profile", List.of("rfc8785"))), Titanium::answer);
    }

    private static Map<String, Object> answer(Atp.Request request) {
        JsonValue value;
        InputStream document = new ByteArrayInputStream(request.docs().get("doc"));
        try (JsonReader reader = Json.createReaderFactory(LONG_NUMBERS).createReader(document, StandardCharsets.UTF_8)) {
            value = reader.readValue();
        } catch (JsonException error) {
            return Atp.reject("A_JSON");
        } catch (RuntimeException error) {
            // A limit of the parser: on depth, and on the exponents of decimals.
            return Atp.reject("A_LIMIT");
        }
        try {
            // Half a pair that the library let through becomes a question mark here: it has not refused.
            byte[] octets = Jcs.canonize(value).getBytes(StandardCharsets.UTF_8);
            return Atp.accept(Map.of("bytes", Base64.getEncoder().encodeToString(octets), "sha256", Atp.sha256(octets)));
        } catch (IllegalArgumentException error) {
            return Atp.reject("A_VALUE");
        }
    }
}
