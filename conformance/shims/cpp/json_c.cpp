// json-c as a testee: `json_c`, beside `atp.hpp` and `read.hpp`. It reads the text itself, so that input is text. It is told to be
// strict and to look at the encoding.

#include <json-c/json.h>

#include "read.hpp"

static std::string written(json_object* value) {
    switch (json_object_get_type(value)) {
        case json_type_object: {
            Object members;
            json_object_object_foreach(value, name, member) members.put(name, written(member));
            return members.written();
        }
        case json_type_array: {
            std::vector<std::string> elements;
            for (std::size_t at = 0; at < json_object_array_length(value); at++)
                elements.push_back(written(json_object_array_get_idx(value, at)));
            return array(elements);
        }
        case json_type_string: return quoted({json_object_get_string(value), std::size_t(json_object_get_string_len(value))});
        case json_type_int: case json_type_double: return number(json_object_get_double(value));
        case json_type_boolean: return json_object_get_boolean(value) ? "true" : "false";
        default: return "null";
    }
}

int main() {
    // Its default depth, of which what stands in the innermost array or object takes one too.
    const atp::Json capabilities = atp::Json::record({{"max_depth", JSON_TOKENER_DEFAULT_DEPTH - 1LL}});
    return reader("json-c", json_c_version(), capabilities, [](const std::string& text) {
        json_tokener* tokener = json_tokener_new();
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        // The NUL behind it says that a number has ended.
        json_object* read = json_tokener_parse_ex(tokener, text.c_str(), int(text.size()) + 1);
        const json_tokener_error error = json_tokener_get_error(tokener);
        const bool whole = error == json_tokener_success && json_tokener_get_parse_end(tokener) >= text.size();
        const std::string octets = whole ? written(read) : "";
        json_object_put(read);
        json_tokener_free(tokener);
        if (!whole) throw Refusal{error == json_tokener_error_depth ? "A_LIMIT" : "A_JSON"};
        return octets;
    }, "c");
}
