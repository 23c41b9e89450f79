// RapidJSON as a testee, with the flags that it has by default: `rapidjson VERSION`, beside `atp.hpp` and `read.hpp`. It reads the
// text itself, so that input is text.

#include <rapidjson/document.h>

#include "read.hpp"

static std::string text(const rapidjson::Value& value) { return {value.GetString(), value.GetStringLength()}; }

static std::string written(const rapidjson::Value& value) {
    if (value.IsObject()) {
        Object members;
        for (const auto& member : value.GetObject()) members.put(text(member.name), written(member.value));
        return members.written();
    }
    if (value.IsArray()) {
        std::vector<std::string> elements;
        for (const auto& element : value.GetArray()) elements.push_back(written(element));
        return array(elements);
    }
    if (value.IsString()) return quoted(text(value));
    if (value.IsNumber()) return number(value.GetDouble());
    return value.IsNull() ? "null" : value.GetBool() ? "true" : "false";
}

int main(int, char** arguments) {
    return reader("rapidjson", arguments[1], atp::Json::record({}), [](const std::string& octets) {
        rapidjson::Document read;
        read.Parse(octets.data(), octets.size());
        switch (read.GetParseError()) {
            case rapidjson::kParseErrorNone: return written(read);
            case rapidjson::kParseErrorNumberTooBig: throw Refusal{"A_VALUE"};
            case rapidjson::kParseErrorStringUnicodeSurrogateInvalid: throw Refusal{"A_VALUE"};
            default: throw Refusal{"A_JSON"};
        }
    });
}
