// JSON as the suite and the shim need it: numbers keep their tokens, members
// their order, and repeated names and lone surrogates are errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assize {

// The text is not JSON, nests too deep, repeats a name, or has half of a
// surrogate pair.
class JsonError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class Json {
public:
  // A number as it is spelled: 1.0 is not 1.
  struct Number {
    std::string token;
    bool operator==(const Number &) const = default;
  };
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  using Value =
      std::variant<std::nullptr_t, bool, Number, std::string, Array, Object>;

  // Levels of nesting that an answer's documents may have.
  static constexpr std::size_t document_depth = 128;

  Json() = default;
  Json(Value value) : value_(std::move(value)) {}

  // Reads one whole text.
  static Json parse(std::string_view text,
                    std::size_t max_depth = document_depth);

  [[nodiscard]] const Value &value() const { return value_; }

  // Nothing if the value is of another type.
  [[nodiscard]] const std::string *string() const;
  [[nodiscard]] const Array *array() const;
  [[nodiscard]] const Object *object() const;
  [[nodiscard]] std::optional<bool> boolean() const;
  // An integer token that fits.
  [[nodiscard]] std::optional<std::int64_t> integer() const;

  // The member of that name; null if there is none, or this is not an object.
  [[nodiscard]] const Json *find(std::string_view name) const;

  // The compact text; strings as UTF-8.
  [[nodiscard]] std::string text() const;

  // The one text of the value: members in order of their code points, no white
  // space, the shortest escapes, numbers by token.
  [[nodiscard]] std::string canonical() const;

  // Equal as values: members in any order, numbers by token.
  [[nodiscard]] bool same(const Json &other) const;

private:
  Value value_ = nullptr;
};

struct Json::Member {
  std::string name;
  Json value;
};

// A string as JSON.
std::string json_string(std::string_view text);

} // namespace assize
