#include "deny.hpp"

#include "json.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <array>

namespace kernel {
namespace {

// The first that applies is the code of the denial.
constexpr std::array<std::string_view, 3> precedence = {
    "E_SIDE_EFFECT_UNDECLARED",
    "E_CAPABILITY_DENIED",
    "E_PERMISSION_DENIED",
};

std::size_t rank(const Value &condition) {
  const auto *code = condition.as<std::string>();
  const auto found =
      code != nullptr ? std::ranges::find(precedence, std::string_view(*code))
                      : precedence.end();
  if (found == precedence.end())
    throw Refusal("A_INPUT", "a condition is one of the three deny codes");
  return static_cast<std::size_t>(found - precedence.begin());
}

} // namespace

std::optional<std::string> deny_code(std::string_view conditions) {
  const Value document = read_json(conditions, {});
  const auto *array = document.as<Value::Array>();
  if (array == nullptr)
    throw Refusal("A_INPUT", "conditions are an array");
  std::size_t first = precedence.size();
  for (const Value &condition : *array)
    first = std::min(first, rank(condition));
  if (first == precedence.size())
    return std::nullopt;
  return std::string(precedence[first]);
}

} // namespace kernel
