// Jansson as a testee: `jansson`, beside `atp.hpp` and `read.hpp`. It reads the text itself, so that input is text. It is told to
// take any value at the top, U+0000 in strings, and integers as doubles: without these it refuses what is JSON.

#include <jansson.h>

#include "read.hpp"

static std::string written(json_t* value) {
    if (json_is_object(value)) {
        Object members;
        for (void* at = json_object_iter(value); at; at = json_object_iter_next(value, at))
            members.put({json_object_iter_key(at), json_object_iter_key_len(at)}, written(json_object_iter_value(at)));
        return members.written();
    }
    if (json_is_array(value)) {
        std::vector<std::string> elements;
        for (std::size_t at = 0; at < json_array_size(value); at++) elements.push_back(written(json_array_get(value, at)));
        return array(elements);
    }
    if (json_is_string(value)) return quoted({json_string_value(value), json_string_length(value)});
    if (json_is_number(value)) return number(json_number_value(value));
    return json_is_null(value) ? "null" : json_is_true(value) ? "true" : "false";
}

int main() {
    // Its depth is fixed when it is compiled, and no header names it.
    const atp::Json capabilities = atp::Json::record({{"max_depth", 2048LL}});
    return reader("jansson", jansson_version_str(), capabilities, [](const std::string& text) {
        json_error_t error;
        json_t* read = json_loadb(text.data(), text.size(), JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
        if (read) {
            const std::string octets = written(read);
            json_decref(read);
            return octets;
        }
        switch (json_error_code(&error)) {
            case json_error_stack_overflow: throw Refusal{"A_LIMIT"};
            case json_error_numeric_overflow: case json_error_null_byte_in_key: throw Refusal{"A_VALUE"};
            default: throw Refusal{"A_JSON"};
        }
    }, "c");
}
