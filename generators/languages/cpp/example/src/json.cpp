#include "json.hpp"

#include "conformance/runtime/utf8.hpp"
#include "refusal.hpp"

#include <ranges>
#include <utility>

namespace kernel {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

class Reader {
public:
  Reader(std::string_view text, const Dialect &dialect)
      : text_(text), dialect_(dialect) {}

  Value document() {
    Value value = read_value();
    skip_space();
    if (at_ < text_.size())
      refuse("something stands after the value");
    return value;
  }

private:
  [[noreturn]] void refuse(const std::string &why) const {
    throw Refusal("A_JSON", why + " (byte " + std::to_string(at_) + ")");
  }

  // NUL at the end, which is not part of any JSON text.
  [[nodiscard]] char peek() const {
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(std::string_view token) {
    if (!text_.substr(at_).starts_with(token))
      return false;
    at_ += token.size();
    return true;
  }

  void skip_space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
      ++at_;
  }

  Value read_value() {
    skip_space();
    switch (peek()) {
    case '{':
      return {read_object()};
    case '[':
      return {read_array()};
    case '"':
      return {read_string()};
    default:
      if (accept("null"))
        return {nullptr};
      if (accept("true"))
        return {true};
      if (accept("false"))
        return {false};
      return {read_number()};
    }
  }

  void open() {
    if (++depth_ > dialect_.max_depth)
      throw Refusal("A_LIMIT", "more than " +
                                   std::to_string(dialect_.max_depth) +
                                   " levels");
    ++at_;
    skip_space();
  }

  // Whether the container goes on after an item.
  bool next(std::string_view close) {
    skip_space();
    if (accept(","))
      return true;
    if (!accept(close))
      refuse("neither a comma nor the end of the container");
    --depth_;
    return false;
  }

  Value::Array read_array() {
    open();
    Value::Array array;
    if (accept("]")) {
      --depth_;
      return array;
    }
    do {
      array.push_back(read_value());
    } while (next("]"));
    return array;
  }

  Value::Object read_object() {
    open();
    Value::Object object;
    if (accept("}")) {
      --depth_;
      return object;
    }
    do {
      skip_space();
      if (peek() != '"')
        refuse("a member without a name");
      std::string name = read_string();
      skip_space();
      if (!accept(":"))
        refuse("a name without a colon");
      object.push_back({std::move(name), read_value()});
    } while (next("}"));
    return object;
  }

  Number read_number() {
    if (dialect_.constants)
      for (const std::string_view constant : {"NaN", "Infinity", "-Infinity"})
        if (accept(constant))
          return {std::string(constant)};
    const std::size_t start = at_;
    accept("-");
    if (!accept("0"))
      skip_digits();
    if (accept("."))
      skip_digits();
    if (accept("e") || accept("E")) {
      if (!accept("+"))
        accept("-");
      skip_digits();
    }
    return {std::string(text_.substr(start, at_ - start))};
  }

  void skip_digits() {
    if (!is_digit(peek()))
      refuse("no value");
    while (is_digit(peek()))
      ++at_;
  }

  std::string read_string() {
    accept("\"");
    std::string string;
    while (!accept("\"")) {
      if (accept("\\")) {
        read_escape(string);
        continue;
      }
      const std::size_t length = assize::utf8::length_at(text_, at_);
      if (length == 0)
        refuse("a string that does not end, or is not UTF-8");
      // char may be signed: a byte of UTF-8 is not a control character.
      if (static_cast<unsigned char>(peek()) < 0x20)
        refuse("a control character inside a string");
      string += text_.substr(at_, length);
      at_ += length;
    }
    return string;
  }

  void read_escape(std::string &string) {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    if (accept("u")) {
      assize::utf8::append(string, read_code_point());
      return;
    }
    const std::size_t letter = letters.find(peek());
    if (letter == std::string_view::npos)
      refuse("an unknown escape");
    string += meanings[letter];
    ++at_;
  }

  // One unit, or two if they are a surrogate pair.
  char32_t read_code_point() {
    const char32_t high = read_unit();
    if (high < 0xd800 || high > 0xdbff)
      return high;
    const std::size_t behind = at_;
    if (accept("\\u")) {
      const char32_t low = read_unit();
      if (low >= 0xdc00 && low <= 0xdfff)
        return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    }
    at_ = behind;
    return high;
  }

  char32_t read_unit() {
    constexpr std::string_view digits = "0123456789abcdef0123456789ABCDEF";
    char32_t unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const std::size_t digit = digits.find(peek());
      if (digit == std::string_view::npos)
        refuse("an escape without four hexadecimal digits");
      unit = unit << 4 | static_cast<char32_t>(digit % 16);
    }
    return unit;
  }

  std::string_view text_;
  Dialect dialect_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

} // namespace

bool Number::is_integer() const {
  return token.find_first_not_of("-0123456789") == std::string::npos;
}

const Value *Value::find(std::string_view name) const {
  const auto *members = as<Object>();
  if (members == nullptr)
    return nullptr;
  for (const Member &member : *members | std::views::reverse)
    if (member.name == name)
      return &member.value;
  return nullptr;
}

Value read_json(std::string_view text, const Dialect &dialect) {
  return Reader(text, dialect).document();
}

} // namespace kernel
