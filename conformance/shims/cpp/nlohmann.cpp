// JSON for Modern C++ as a testee: `nlohmann`, beside `atp.hpp` and `read.hpp`. It reads the text itself, so that input is text.

#include <nlohmann/json.hpp>

#include "read.hpp"

static std::string written(const nlohmann::json& value) {
    if (value.is_object()) {
        Object members;
        for (const auto& member : value.items()) members.put(member.key(), written(member.value()));
        return members.written();
    }
    if (value.is_array()) {
        std::vector<std::string> elements;
        for (const auto& element : value) elements.push_back(written(element));
        return array(elements);
    }
    if (value.is_string()) return quoted(value.get<std::string>());
    if (value.is_number()) return number(value.get<double>());
    return value.is_null() ? "null" : value.get<bool>() ? "true" : "false";
}

int main() {
    const std::string version = std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." + std::to_string(NLOHMANN_JSON_VERSION_MINOR) +
                                "." + std::to_string(NLOHMANN_JSON_VERSION_PATCH);
    return reader("nlohmann-json", version, atp::Json::record({}), [](const std::string& text) {
        try {
            return written(nlohmann::json::parse(text));
        } catch (const nlohmann::json::parse_error&) {
            throw Refusal{"A_JSON"};
        } catch (const nlohmann::json::out_of_range&) {
            // A number beyond the doubles.
            throw Refusal{"A_VALUE"};
        }
    });
}
