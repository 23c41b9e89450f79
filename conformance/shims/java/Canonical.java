import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a reader of JSON has made of a text, as RFC 8785 has it: of maps, lists, strings, numbers, booleans and null. */
final class Canonical {
    private Canonical() {}

    static String written(Object value) {
        StringBuilder into = new StringBuilder();
        write(value, into);
        return into.toString();
    }

    private static void write(Object value, StringBuilder into) {
        if (value instanceof Map<?, ?> members) {
            TreeMap<Object, Object> sorted = new TreeMap<>(members);
            char before = '{';
            for (Map.Entry<?, ?> member : sorted.entrySet()) {
                quote((String) member.getKey(), into.append(before));
                write(member.getValue(), into.append(':'));
                before = ',';
            }
            into.append(sorted.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> elements) {
            char before = '[';
            for (Object element : elements) {
                write(element, into.append(before));
                before = ',';
            }
            into.append(elements.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            quote(text, into);
        } else if (value instanceof Number number) {
            into.append(number(number.doubleValue()));
        } else {
            into.append(value);
        }
    }

    private static void quote(String text, StringBuilder into) {
        into.append('"');
        for (char one : text.toCharArray()) {
            int plain = "\"\\\b\f\n\r\t".indexOf(one);
            if (plain >= 0) {
                into.append('\\').append("\"\\bfnrt".charAt(plain));
            } else if (one < 0x20) {
                into.append(String.format("\\u%04x", (int) one));
            } else {
                into.append(one);
            }
        }
        into.append('"');
    }

    /** ECMAScript's spelling, from the fewest digits that tell the double: Double.toString has more of them before Java 19. */
    private static String number(double value) {
        if (value == 0) {
            return "0";
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            // No text of JSON has it. It goes out as it came, since it was not refused.
            return Double.toString(value);
        }
        BigDecimal exact = new BigDecimal(Math.abs(value));
        BigDecimal shortest = exact;
        for (int size = 17; size > 0; size--) {
            BigDecimal rounded = exact.round(new MathContext(size, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == Math.abs(value)) {
                shortest = rounded;
            }
        }
        shortest = shortest.stripTrailingZeros();
        String digits = shortest.unscaledValue().toString();
        int count = digits.length();
        int point = count - shortest.scale();
        String text;
        if (count <= point && point <= 21) {
            text = digits + "0".repeat(point - count);
        } else if (0 < point && point <= 21) {
            text = digits.substring(0, point) + "." + digits.substring(point);
        } else if (-6 < point && point <= 0) {
            text = "0." + "0".repeat(-point) + digits;
        } else {
            text = digits.charAt(0) + (count > 1 ? "." + digits.substring(1) : "") + (point > 0 ? "e+" : "e-") + Math.abs(point - 1);
        }
        return value < 0 ? "-" + text : text;
    }
}
