import com.apicatalog.jcs.Jcs;
import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * com.apicatalog:titanium-jcs. It writes a value that a Jakarta JSON parser has read, so that input is value; a lone surrogate
 * and a number beyond the doubles come through that parser, which keeps numbers as decimals and reads 1000 levels.
 */
final class Titanium {
    /** Otherwise the parser refuses long integers, which are overflows too, before the library sees them. */
    private static final Map<String, Integer> LONG_NUMBERS = Map.of("org.eclipse.parsson.maxBigDecimalLength", 10_000);

    public static void main(String[] args) {
        Map<String, Object> domain = Map.of("input", "value", "values", List.of("lone-surrogate", "overflow"), "max_depth", 1000);
        // Half a pair that the library let through becomes a question mark here: it has not refused.
        Canon.serve(args, domain, IllegalArgumentException.class, doc -> Jcs.canonize(read(doc)).getBytes(StandardCharsets.UTF_8));
    }

    private static JsonValue read(byte[] document) throws Canon.Refused {
        ByteArrayInputStream input = new ByteArrayInputStream(document);
        try (JsonReader reader = Json.createReaderFactory(LONG_NUMBERS).createReader(input, StandardCharsets.UTF_8)) {
            return reader.readValue();
        } catch (JsonException error) {
            throw new Canon.Refused("A_JSON");
        } catch (RuntimeException error) {
            // A limit of the parser: on depth, and on the exponents of decimals.
            throw new Canon.Refused("A_LIMIT");
        }
    }
}
