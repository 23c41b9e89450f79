// Deny precedence: which code a denial carries when several conditions hold.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernel {

// The code that wins among the conditions, a JSON array of deny codes; nothing
// if no condition holds.
std::optional<std::string> deny_code(std::string_view conditions);

} // namespace kernel
