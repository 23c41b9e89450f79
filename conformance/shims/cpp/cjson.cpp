// cJSON as a testee: `cjson`, beside `atp.hpp` and `read.hpp`. It reads the text itself, so that input is text. It is told to read
// to the end, and says where it stopped: what it has read up to a NUL alone counts as refused. It does not say why it refuses.

#include <cjson/cJSON.h>

#include "read.hpp"

static std::string written(const cJSON* value) {
    const cJSON* one;
    if (cJSON_IsObject(value)) {
        Object members;
        cJSON_ArrayForEach(one, value) members.put(one->string, written(one));
        return members.written();
    }
    if (cJSON_IsArray(value)) {
        std::vector<std::string> elements;
        cJSON_ArrayForEach(one, value) elements.push_back(written(one));
        return array(elements);
    }
    if (cJSON_IsString(value)) return quoted(value->valuestring);
    if (cJSON_IsNumber(value)) return number(value->valuedouble);
    return cJSON_IsNull(value) ? "null" : cJSON_IsTrue(value) ? "true" : "false";
}

int main() {
    const atp::Json capabilities = atp::Json::record({{"max_depth", (long long)CJSON_NESTING_LIMIT}});
    return reader("cjson", cJSON_Version(), capabilities, [](const std::string& text) {
        const char* end = nullptr;
        cJSON* read = cJSON_ParseWithLengthOpts(text.c_str(), text.size() + 1, &end, true);
        const bool whole = read && end == text.c_str() + text.size();
        const std::string octets = whole ? written(read) : "";
        cJSON_Delete(read);
        if (!whole) throw Refusal{"A_JSON"};
        return octets;
    }, "c");
}
