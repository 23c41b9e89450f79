// What an implementation says it has. Suite and shim read the same one.
#pragma once

#include "conformance/runtime/json.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assize {

// Operation -> argument -> values that are supported. Only arguments with a
// closed list of values are named; the others have nothing to choose.
using Declaration =
    std::map<std::string, std::map<std::string, std::vector<std::string>>>;

// What is asked but not declared, as `op` or `op/value`; nothing if all is.
std::optional<std::string> undeclared(const Declaration &declaration,
                                      const std::string &op, const Json &args);

// The declaration as JSON.
std::string to_json(const Declaration &declaration);

// Why nothing can be asked under this declaration; `known` has everything
// that could be declared. Nothing if there is no such reason.
std::optional<std::string> problem(const Declaration &declaration,
                                   const Declaration &known);

} // namespace assize
