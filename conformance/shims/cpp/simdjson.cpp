// The DOM parser of simdjson as a testee: `simdjson`, beside `atp.hpp` and `read.hpp`. It reads the text itself, so that input is
// text.

#include <simdjson.h>

#include "read.hpp"

namespace dom = simdjson::dom;

static std::string written(dom::element value) {
    switch (value.type()) {
        case dom::element_type::OBJECT: {
            Object members;
            for (const dom::key_value_pair member : dom::object(value)) members.put(std::string(member.key), written(member.value));
            return members.written();
        }
        case dom::element_type::ARRAY: {
            std::vector<std::string> elements;
            for (const dom::element element : dom::array(value)) elements.push_back(written(element));
            return array(elements);
        }
        case dom::element_type::STRING: return quoted(std::string(std::string_view(value)));
        case dom::element_type::BOOL: return bool(value) ? "true" : "false";
        case dom::element_type::NULL_VALUE: return "null";
        default: return number(double(value));
    }
}

int main() {
    const std::string version = std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." + std::to_string(simdjson::SIMDJSON_VERSION_MINOR) +
                                "." + std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
    // Its default depth, of which what stands in the innermost array or object takes one too.
    const atp::Json capabilities = atp::Json::record({{"max_depth", (long long)simdjson::DEFAULT_MAX_DEPTH - 1}});
    return reader("simdjson", version, capabilities, [](const std::string& text) {
        dom::parser parser;
        dom::element read;
        switch (parser.parse(text).get(read)) {
            case simdjson::SUCCESS: return written(read);
            case simdjson::DEPTH_ERROR: throw Refusal{"A_LIMIT"};
            default: throw Refusal{"A_JSON"};
        }
    });
}
