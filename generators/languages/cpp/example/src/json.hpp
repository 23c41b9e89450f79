// JSON as the laws see it: number tokens, repeated names and lone surrogates
// are kept, since each profile judges them in its own way.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kernel {

// A number as it is spelled.
struct Number {
  std::string token;

  // Spelled without a fraction and an exponent.
  [[nodiscard]] bool is_integer() const;
};

struct Member;

// Strings are UTF-8. A lone surrogate, which only an escape can bring in, is
// spelled as if it were a character, so that bytes still sort by code point.
struct Value {
  using Array = std::vector<Value>;
  using Object = std::vector<Member>;

  std::variant<std::nullptr_t, bool, Number, std::string, Array, Object> data =
      nullptr;

  template <class T> [[nodiscard]] const T *as() const {
    return std::get_if<T>(&data);
  }
  template <class T> [[nodiscard]] T *as() { return std::get_if<T>(&data); }

  // The last member of that name; null if there is none, or this is not an
  // object.
  [[nodiscard]] const Value *find(std::string_view name) const;
};

struct Member {
  std::string name;
  Value value;
};

// What is read beyond RFC 8259, and how deep.
struct Dialect {
  std::size_t max_depth = 256;
  // NaN, Infinity and -Infinity are numbers.
  bool constants = false;
};

// Reads one whole document. Refuses with A_JSON, or with A_LIMIT where it
// nests too deep, and recurses no further than that.
Value read_json(std::string_view text, const Dialect &dialect);

} // namespace kernel
