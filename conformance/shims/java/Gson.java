import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * com.google.code.gson:gson, told to be strict, as a testee of its reader, beside Atp.java and Canonical.java. It takes
 * characters, which are decoded strictly before: what is no UTF-8 is refused here and not by it.
 */
public final class Gson {
    private static final com.google.gson.Gson READER = new GsonBuilder().setStrictness(Strictness.STRICT).create();

    public static void main(String[] arguments) {
        Map<String, Object> about = Map.of(
                "testee", Map.of("name", arguments[0], "version", arguments[1], "lang", "java"),
                "shim", Map.of("name", "assize-read-java", "version", "1"),
                "capabilities", Map.of("max_depth", 255));
        Atp.serve(about, Map.of("canon.bytes", Map.of("profile", List.of("rfc8785"))), Gson::answer);
    }

    private static Map<String, Object> answer(Atp.Request request) {
        Object value;
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(request.docs().get("doc"))).toString();
            // Gson.fromJson takes a text without any value for null.
            JsonReader reader = READER.newJsonReader(new StringReader(text));
            value = READER.getAdapter(Object.class).read(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                return Atp.reject("A_JSON");
            }
        } catch (IOException | JsonParseException error) {
            return Atp.reject(String.valueOf(error.getMessage()).contains("Nesting limit") ? "A_LIMIT" : "A_JSON");
        }
        byte[] octets = Canonical.written(value).getBytes(StandardCharsets.UTF_8);
        return Atp.accept(Map.of("bytes", Base64.getEncoder().encodeToString(octets), "sha256", Atp.sha256(octets)));
    }
}
