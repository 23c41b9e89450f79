// How numbers are printed where a canonical form has doubles.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernel {

// The double nearest to a decimal token; nothing beyond their range.
std::optional<double> to_double(std::string_view token);

// As ECMAScript prints it: RFC 8785.
std::string ecmascript_number(double value);

// As Python's repr prints it.
std::string python_number(double value);

// Compares integer tokens of any length: negative, zero or positive.
int compare_integers(std::string_view a, std::string_view b);

} // namespace kernel
