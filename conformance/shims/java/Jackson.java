import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.CharConversionException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * com.fasterxml.jackson.core:jackson-databind as a testee of its reader, beside Atp.java and Canonical.java. It reads the bytes
 * itself, so that input is text. It is told to read to the end: otherwise it reads the first value of many.
 */
public final class Jackson {
    private static final ObjectMapper READER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    public static void main(String[] arguments) {
        Map<String, Object> about = Map.of(
                "testee", Map.of("name", arguments[0], "version", arguments[1], "lang", "java"),
                "shim", Map.of("name", "assize-read-java", "version", "1"),
                "capabilities", Map.of("max_depth", 1000));
        Atp.serve(about, Map.of("canon.bytes", Map.of("profile", List.of("rfc8785"))), Jackson::answer);
    }

    private static Map<String, Object> answer(Atp.Request request) throws Exception {
        Object value;
        try {
            value = READER.readValue(request.docs().get("doc"), Object.class);
        } catch (StreamConstraintsException error) {
            return Atp.reject("A_LIMIT");
        } catch (JsonProcessingException error) {
            return Atp.reject("A_JSON");
        } catch (CharConversionException error) {
            // What is no UTF-32, where it took the text for that.
            return Atp.reject("A_JSON");
        }
        byte[] octets = Canonical.written(value).getBytes(StandardCharsets.UTF_8);
        return Atp.accept(Map.of("bytes", Base64.getEncoder().encodeToString(octets), "sha256", Atp.sha256(octets)));
    }
}
