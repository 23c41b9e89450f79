// The testee's side of ATP/1, the line protocol of Assize, for testees and shims in C++17, with the standard library alone: copy
// this header next to your own source and write a function from a Request to an answer. Standard output belongs to the
// protocol: std::cerr, never std::cout.

#ifndef ATP_HPP
#define ATP_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

namespace atp {

constexpr long long protocol = 1;
constexpr int bad_input = 3;

// What the harness sent is not a frame. Nothing after it can be trusted, so the session ends.
struct BadFrame : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// JSON for frames alone. `text` is a string's value, or the token of a number, true, false or null, which are words; an object
// has its names beside its items.
struct Json {
    enum Kind { word, string, array, object } kind = word;
    std::string text = "null";
    std::vector<Json> items;
    std::vector<std::string> names;

    Json() = default;
    explicit Json(Kind kind) : kind(kind), text() {}
    Json(std::string value) : kind(string), text(std::move(value)) {}
    Json(const char* value) : kind(string), text(value) {}
    Json(long long value) : text(std::to_string(value)) {}
    static Json list(std::vector<Json> items) {
        Json made(array);
        made.items = std::move(items);
        return made;
    }
    static Json record(std::initializer_list<std::pair<std::string, Json>> members) {
        Json made(object);
        for (const auto& [name, value] : members) made.put(name, value);
        return made;
    }

    // The member of that name, if this is an object that has it.
    const Json* find(const std::string& name) const {
        for (std::size_t at = 0; at < names.size(); at++)
            if (names[at] == name) return &items[at];
        return nullptr;
    }
    // A member that a frame owes.
    const Json& owed(const std::string& name, Kind wanted) const {
        const Json* found = find(name);
        if (!found || found->kind != wanted) throw BadFrame(name + " is missing or of a wrong type");
        return *found;
    }
    void put(const std::string& name, Json value) {
        names.push_back(name);
        items.push_back(std::move(value));
    }
    bool operator==(const Json& other) const {
        return kind == other.kind && text == other.text && names == other.names && items == other.items;
    }
};

// One question. `docs` holds the exact bytes to judge, by name; `root` is the case's folder, if it has one.
struct Request {
    std::string op;
    Json args;
    std::map<std::string, std::string> docs;
    std::optional<std::string> root;
};

using Testee = std::function<Json(const Request&)>;

// How many bytes of a character in UTF-8 stand at `at`: 0 where there is none.
inline std::size_t character(const std::string& text, std::size_t at) {
    const auto octet = [&](std::size_t place) { return place < text.size() ? (unsigned char)text[place] : 0u; };
    const unsigned first = octet(at), second = octet(at + 1);
    const std::size_t size = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    for (std::size_t more = 1; more < size; more++)
        if ((octet(at + more) & 0xc0) != 0x80) return 0;
    const bool outside = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                         (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return outside ? 0 : size;
}

inline bool utf8(const std::string& text) {
    for (std::size_t at = 0, size; at < text.size(); at += size)
        if (!(size = character(text, at))) return false;
    return true;
}

// The implementation accepts; `out` as it travels: doc as JSON text, bytes as base64, value as plain JSON.
inline Json accept(Json out = Json::record({})) {
    return Json::record({{"t", "answer"}, {"is", "accept"}, {"out", std::move(out)}});
}

// The implementation refuses. This is a judgement: an exception is not one.
inline Json reject(std::vector<Json> codes) {
    return Json::record({{"t", "answer"}, {"is", "reject"}, {"codes", Json::list(std::move(codes))}});
}

// The implementation broke, and nobody knows what it would have said.
inline Json fault(const std::string& kind, std::string message) {
    for (std::size_t at = 0, size; at < message.size(); at += size ? size : 1)
        if (!(size = character(message, at))) message[at] = '?';
    return Json::record({{"t", "fault"}, {"kind", kind}, {"message", message}});
}

// SHA-256 (FIPS 180-4) as it travels.
inline std::string sha256(std::string octets) {
    // The first 32 bits behind the point of the cube roots of the first 64 primes, and below of the square roots of 8.
    static constexpr std::uint32_t round[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
        0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
        0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
        0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
        0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
        0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
        0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    std::uint32_t state[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const std::uint64_t bits = std::uint64_t(octets.size()) * 8;
    octets += '\x80';
    octets.resize((octets.size() + 8 + 63) / 64 * 64 - 8, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) octets += char(bits >> shift);
    const auto turned = [](std::uint32_t word, int by) { return word >> by | word << (32 - by); };
    for (std::size_t block = 0; block < octets.size(); block += 64) {
        std::uint32_t w[64];
        for (int i = 0; i < 64; i++) {
            if (i < 16) {
                w[i] = 0;
                for (int part = 0; part < 4; part++) w[i] = w[i] << 8 | (unsigned char)octets[block + 4 * i + part];
                continue;
            }
            w[i] = w[i - 16] + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
                   (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
        }
        auto [a, b, c, d, e, f, g, h] = state;
        for (int i = 0; i < 64; i++) {
            const std::uint32_t one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + round[i] + w[i];
            const std::uint32_t two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
        }
        const std::uint32_t found[8] = {a, b, c, d, e, f, g, h};
        for (int i = 0; i < 8; i++) state[i] += found[i];
    }
    std::string digits;
    for (const std::uint32_t word : state)
        for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15];
    return digits;
}

// Bytes as they travel.
inline std::string base64_text(const std::string& octets) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < octets.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = at; i < at + 3; i++) group = group << 8 | (i < octets.size() ? (unsigned char)octets[i] : 0);
        for (int shift = 18; shift >= 0; shift -= 6) text += digits[group >> shift & 63];
    }
    for (std::size_t i = 0; i < (3 - octets.size() % 3) % 3; i++) text[text.size() - 1 - i] = '=';
    return text;
}

// The bytes, if the text is padded base64 with nothing in the bits that are left over.
inline std::optional<std::string> base64_octets(const std::string& text) {
    std::string octets;
    std::uint32_t group = 0;
    for (std::size_t at = 0; at < text.size(); at++) {
        // What is no digit counts as nothing, and shows at the end.
        const char one = text[at];
        const int digit = one >= 'a' ? one - 'a' + 26 : one >= 'A' ? one - 'A' : one >= '0' ? one - '0' + 52 : one == '+' ? 62 : one == '/' ? 63 : 0;
        group = group << 6 | std::uint32_t(digit);
        if (at % 4 != 3) continue;
        for (int shift = 16; shift >= 0; shift -= 8) octets += char(group >> shift);
        group = 0;
    }
    for (std::size_t i = 0; i < 2 && i < text.size() && text[text.size() - 1 - i] == '='; i++) octets.pop_back();
    return base64_text(octets) == text ? std::optional(octets) : std::nullopt;
}

// Reads one line of the protocol.
class Reader {
public:
    explicit Reader(const std::string& line) : line(line) {
        if (!utf8(line)) throw BadFrame("bytes that are not UTF-8");
    }
    Json whole() {
        Json found = value(0);
        if (peek() != '\0' || at < line.size()) throw BadFrame("text behind a frame");
        return found;
    }

private:
    const std::string& line;
    std::size_t at = 0;

    // The next byte that is not white space, NUL at the end.
    char peek() {
        at = std::min(line.find_first_not_of(" \t\r\n", at), line.size());
        return at < line.size() ? line[at] : '\0';
    }
    bool taken(char wanted) {
        const bool there = peek() == wanted && at < line.size();
        at += there;
        return there;
    }
    void take(char wanted) {
        if (!taken(wanted)) throw BadFrame(std::string("no ") + wanted + " at " + std::to_string(at));
    }
    Json value(int depth) {
        if (depth > 127) throw BadFrame("a line that is too deep");
        if (peek() == '"') return quoted();
        Json found;
        if (taken('{')) {
            found = Json(Json::object);
            for (bool more = !taken('}'); more; more = !taken('}')) {
                if (!found.names.empty()) take(',');
                peek();
                std::string name = quoted();
                take(':');
                found.put(name, value(depth + 1));
            }
        } else if (taken('[')) {
            found = Json(Json::array);
            for (bool more = !taken(']'); more; more = !taken(']')) {
                if (!found.items.empty()) take(',');
                found.items.push_back(value(depth + 1));
            }
        } else {
            const std::size_t end = std::min(line.find_first_of(",]} \t\r\n", at), line.size());
            found.text = line.substr(at, end - at);
            at = end;
            const bool named = found.text == "null" || found.text == "true" || found.text == "false";
            if (!named && (found.text.empty() || found.text.find_first_not_of("+-.0123456789Ee") != std::string::npos))
                throw BadFrame("no JSON value: " + found.text);
        }
        return found;
    }
    std::string quoted() {
        take('"');
        std::string found;
        while (at < line.size() && line[at] != '"') {
            if (line[at] != '\\') {
                found += line[at++];
                continue;
            }
            const char escape = at + 1 < line.size() ? line[at + 1] : '\0';
            at += 2;
            const std::size_t plain = std::string("\"\\/bfnrt").find(escape);
            if (escape != 'u' && (plain == std::string::npos || escape == '\0')) throw BadFrame("a broken escape");
            if (escape != 'u') {
                found += "\"\\/\b\f\n\r\t"[plain];
                continue;
            }
            std::uint32_t code = unit();
            if (code >= 0xd800 && code < 0xdc00 && line.compare(at, 2, "\\u") == 0) {
                at += 2;
                code = 0x10000 + ((code - 0xd800) << 10) + (unit() - 0xdc00);
            }
            // Half a pair has no form in UTF-8, and no frame of the harness holds one.
            if (code < 0x80) found += char(code);
            else if (code < 0x800) found += {char(0xc0 | code >> 6), char(0x80 | (code & 63))};
            else if (code < 0x10000) found += {char(0xe0 | code >> 12), char(0x80 | (code >> 6 & 63)), char(0x80 | (code & 63))};
            else found += {char(0xf0 | code >> 18), char(0x80 | (code >> 12 & 63)), char(0x80 | (code >> 6 & 63)), char(0x80 | (code & 63))};
        }
        take('"');
        return found;
    }
    std::uint32_t unit() {
        const std::string digits = line.substr(std::min(at, line.size()), 4);
        at += 4;
        if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
            throw BadFrame("a broken escape");
        return std::uint32_t(std::stoul(digits, nullptr, 16));
    }
};

// One frame as one line, without the line feed.
inline std::string written(const Json& value) {
    if (value.kind == Json::word) return value.text;
    std::string made;
    if (value.kind == Json::string) {
        if (!utf8(value.text)) throw std::invalid_argument("an answer that is not UTF-8");
        for (const unsigned char octet : value.text) {
            if (octet < 0x20) made += std::string("\\u00") + char('0' + octet / 16) + "0123456789abcdef"[octet % 16];
            else if (octet == '"' || octet == '\\') made += {'\\', char(octet)};
            else made += char(octet);
        }
        return '"' + made + '"';
    }
    const bool named = value.kind == Json::object;
    for (std::size_t at = 0; at < value.items.size(); at++) {
        made += at ? "," : "";
        if (named) made += written(value.names[at]) + ':';
        made += written(value.items[at]);
    }
    return named ? '{' + made + '}' : '[' + made + ']';
}

// One run of the protocol.
class Session {
public:
    Session(Json about, Testee answer) : about(std::move(about)), answer(std::move(answer)) {}

    void run() {
        std::string line;
        while (read(line) && step(Reader(line).whole())) {
        }
    }

private:
    Json about;
    Testee answer;
    std::size_t limit = 8 << 20;
    bool greeted = false;
    long long served = 0;
    std::string chain = std::string(64, '0');

    // The next line without its line feed; false at the end of the input.
    bool read(std::string& line) {
        line.clear();
        for (int octet = std::getchar(); octet != '\n'; octet = std::getchar()) {
            if (octet == EOF && line.empty()) return false;
            if (octet == EOF || line.size() >= limit) throw BadFrame("a line that is too long, or without its line feed");
            line += char(octet);
        }
        return true;
    }

    // Does what one line asks; false when it was the last one.
    bool step(const Json& frame) {
        const std::string& kind = frame.owed("t", Json::string).text;
        if (kind == "hello" && !greeted) return hello(frame);
        if (kind == "case" && greeted) reply(frame.owed("id", Json::string), judged(frame));
        else if (kind == "ping" && greeted) write(Json::record({{"t", "pong"}, {"n", frame.owed("n", Json::word)}}));
        else if (kind == "bye" && greeted) write(Json::record({{"t", "bye"}, {"served", served}, {"chain", chain}}));
        else throw BadFrame("a frame " + kind + " that has no place here");
        return kind != "bye";
    }

    bool hello(const Json& frame) {
        const Json& offered = frame.owed("proto", Json::array);
        if (offered.items.size() != 2) throw BadFrame("proto is of a wrong type");
        if (protocol < integer(offered.items[0]) || protocol > integer(offered.items[1])) {
            write(Json::record({{"t", "refuse"}, {"why", "proto"}, {"supported", Json::list({protocol})}}));
            return false;
        }
        greeted = true;
        const Json* limits = frame.find("limits");
        if (limits && limits->find("line")) limit = std::size_t(integer(*limits->find("line")));
        Json said = Json::record({{"t", "hello"}, {"proto", protocol}});
        for (std::size_t at = 0; at < about.names.size(); at++) said.put(about.names[at], about.items[at]);
        if (!about.find("in_flight")) said.put("in_flight", 1LL);
        write(said);
        return true;
    }

    static long long integer(const Json& word) {
        try {
            return std::stoll(word.text);
        } catch (const std::logic_error&) {
            throw BadFrame("no integer: " + word.text);
        }
    }

    // The answer to a question; what the implementation lets escape is a fault, never a rejection.
    Json judged(const Json& frame) {
        Request asked{frame.owed("op", Json::string).text, frame.owed("args", Json::object), {}, std::nullopt};
        if (frame.find("root")) asked.root = frame.owed("root", Json::string).text;
        Json seen(Json::object);
        const Json& parcels = frame.owed("in", Json::object);
        for (std::size_t at = 0; at < parcels.names.size(); at++) {
            const std::optional<std::string> octets = base64_octets(parcels.items[at].owed("b64", Json::string).text);
            const std::string found = octets ? sha256(*octets) : "none";
            if (found != parcels.items[at].owed("sha256", Json::string).text)
                return fault("receipt", "in." + parcels.names[at] + ": the bytes have SHA-256 " + found);
            asked.docs[parcels.names[at]] = *octets;
            seen.put(parcels.names[at], found);
        }
        const Json* choices = about.owed("ops", Json::object).find(asked.op);
        if (!choices) return Json::record({{"t", "unsupported"}, {"feature", asked.op}});
        for (std::size_t at = 0; at < choices->names.size(); at++) {
            const std::vector<Json>& known = choices->items[at].items;
            const Json* value = asked.args.find(choices->names[at]);
            if (!value || std::find(known.begin(), known.end(), *value) == known.end())
                return Json::record({{"t", "unsupported"}, {"feature", asked.op + "/" + (value ? written(*value) : "null")}});
        }
        try {
            Json said = answer(asked);
            if (said.owed("t", Json::string).text == "answer") said.put("seen", seen);
            written(said);
            return said;
        } catch (const std::exception& error) {
            std::cerr << error.what() << std::endl;
            return fault("panic", error.what());
        } catch (...) {
            return fault("panic", "what was thrown is no exception of the library");
        }
    }

    // Writes an answer, and counts it once it is written.
    void reply(const Json& id, Json said) {
        Json whole = said;
        whole.put("id", id);
        if (written(whole).size() > limit) {
            whole = said = fault("limit", "the answer is longer than limits.line");
            whole.put("id", id);
        }
        write(whole);
        if (said.owed("t", Json::string).text != "answer") return;
        served++;
        chain = sha256(chain + "\n" + id.text + "\n" + said.owed("is", Json::string).text);
    }

    // Writes one line and passes it on at once: the harness waits for it.
    static void write(const Json& frame) {
        const std::string line = written(frame) + '\n';
        std::fwrite(line.data(), 1, line.size(), stdout);
        std::fflush(stdout);
    }
};

// Serves one session over standard input and output; the result is the exit code of the process. `about` is what hello says
// beside version and kind: testee, shim, ops and more. Declaring binds.
inline int serve(Json about, Testee answer) {
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    try {
        Session(std::move(about), std::move(answer)).run();
    } catch (const BadFrame& error) {
        std::cerr << "atp: " << error.what() << "; see the protocol's page for the frames" << std::endl;
        return bad_input;
    }
    return 0;
}

}  // namespace atp

#endif
