// What every reader of JSON in C++ needs as a testee, beside `atp.hpp`: the value that it has read is written by RFC 8785; text
// that is not UTF-8 as it came, since it was not refused.

#ifndef READ_HPP
#define READ_HPP

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "atp.hpp"

// A reader refuses, with the code of the protocol.
struct Refusal {
    const char* code;
};

inline std::string quoted(const std::string& text) {
    static const char special[] = "\"\\\b\f\n\r\t";
    std::string made = "\"";
    for (const char one : text) {
        const char* found = one == '\0' ? nullptr : std::strchr(special, one);
        if (found) made += {'\\', "\"\\bfnrt"[found - special]};
        else if ((unsigned char)one < 0x20) made += std::string("\\u00") + char('0' + one / 16) + "0123456789abcdef"[one % 16];
        else made += one;
    }
    return made + '"';
}

// ECMAScript's spelling: to_chars has the same digits, the fewest that tell the double.
inline std::string number(double value) {
    // No text of JSON has it. It goes out as it came, since it was not refused.
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";
    char room[32];
    const std::string spelled(room, std::to_chars(room, room + sizeof room, std::fabs(value), std::chars_format::scientific).ptr);
    const std::size_t end = spelled.find('e');
    std::string digits = spelled.substr(0, 1) + (end > 2 ? spelled.substr(2, end - 2) : "");
    const int count = int(digits.size()), point = std::stoi(spelled.substr(end + 1)) + 1;
    if (count <= point && point <= 21) digits.append(point - count, '0');
    else if (0 < point && point <= 21) digits.insert(point, ".");
    else if (-6 < point && point <= 0) digits = "0." + std::string(-point, '0') + digits;
    else digits = digits.substr(0, 1) + (count > 1 ? "." + digits.substr(1) : "") + (point > 0 ? "e+" : "e-") + std::to_string(std::abs(point - 1));
    return value < 0 ? '-' + digits : digits;
}

inline std::string array(const std::vector<std::string>& elements) {
    std::string made;
    for (const std::string& element : elements) made += (made.empty() ? "" : ",") + element;
    return '[' + made + ']';
}

// Members in the order of UTF-16, in which the characters from U+E000 to U+FFFF come last. Of a name that comes again the last
// counts, as with most readers.
class Object {
public:
    void put(const std::string& name, const std::string& value) {
        std::string key = name;
        for (char& one : key) one = one == '\xee' ? '\xfe' : one == '\xef' ? '\xff' : one;
        members[key] = quoted(name) + ':' + value;
    }
    std::string written() const {
        std::string made;
        for (const auto& member : members) made += (made.empty() ? "" : ",") + member.second;
        return '{' + made + '}';
    }

private:
    std::map<std::string, std::string> members;
};

// Serves one reader, a function from a text to canonical bytes, in C++ or in the language that is named.
inline int reader(const std::string& name, const std::string& version, atp::Json capabilities, std::string (*canonical)(const std::string&),
                  const std::string& language = "c++") {
    using atp::Json;
    const Json about = Json::record({
        {"testee", Json::record({{"name", name}, {"version", version}, {"lang", language}})},
        {"shim", Json::record({{"name", "assize-read-cpp"}, {"version", "1"}})},
        {"ops", Json::record({{"canon.bytes", Json::record({{"profile", Json::list({"rfc8785"})}})}})},
        {"capabilities", capabilities},
        {"in_flight", 8LL},
    });
    return atp::serve(about, [&](const atp::Request& asked) {
        try {
            const std::string octets = canonical(asked.docs.at("doc"));
            return atp::accept(Json::record({{"bytes", atp::base64_text(octets)}, {"sha256", atp::sha256(octets)}}));
        } catch (const Refusal& refusal) {
            return atp::reject({refusal.code});
        }
    });
}

#endif
