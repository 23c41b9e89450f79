// The reader of the protocol's own frames, behind the writer that readers share.

#include <cstdlib>

#include "read.hpp"

static std::string canonical(const atp::Json& value) {
    if (value.kind == atp::Json::string) return quoted(value.text);
    if (value.kind == atp::Json::word) {
        const bool named = value.text == "null" || value.text == "true" || value.text == "false";
        return named ? value.text : number(std::strtod(value.text.c_str(), nullptr));
    }
    Object members;
    std::vector<std::string> elements;
    for (std::size_t at = 0; at < value.items.size(); at++) {
        if (value.kind == atp::Json::array) elements.push_back(canonical(value.items[at]));
        else members.put(value.names[at], canonical(value.items[at]));
    }
    return value.kind == atp::Json::array ? array(elements) : members.written();
}

int main() {
    const atp::Json capabilities = atp::Json::record({{"max_depth", 127LL}});
    return reader("frames", "known", capabilities, [](const std::string& text) {
        try {
            return canonical(atp::Reader(text).whole());
        } catch (const atp::BadFrame&) {
            throw Refusal{"A_JSON"};
        }
    });
}
