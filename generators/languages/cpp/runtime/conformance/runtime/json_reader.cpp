#include "conformance/runtime/json.hpp"
#include "conformance/runtime/utf8.hpp"

#include <algorithm>
#include <utility>

namespace assize {
namespace {

class JsonReader {
public:
  JsonReader(std::string_view text, std::size_t max_depth)
      : text_(text), max_depth_(max_depth) {}

  Json document() {
    Json json = value(0);
    skip_space();
    if (at_ != text_.size())
      fail("text after the value");
    return json;
  }

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw JsonError(what + " at byte " + std::to_string(at_));
  }

  [[nodiscard]] char peek() const {
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char expected) {
    if (at_ >= text_.size() || text_[at_] != expected)
      return false;
    ++at_;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) !=
                                     std::string_view::npos)
      ++at_;
  }

  Json value(std::size_t depth) {
    skip_space();
    switch (peek()) {
    case '{':
      return Json(members(depth + 1));
    case '[':
      return Json(elements(depth + 1));
    case '"':
      return Json(string());
    default:
      if (word("true"))
        return Json(true);
      if (word("false"))
        return Json(false);
      if (word("null"))
        return Json();
      return Json(number());
    }
  }

  bool word(std::string_view spelling) {
    if (!text_.substr(at_).starts_with(spelling))
      return false;
    at_ += spelling.size();
    return true;
  }

  void enter(std::size_t depth) {
    if (depth > max_depth_)
      fail("more than " + std::to_string(max_depth_) + " levels");
    ++at_;
    skip_space();
  }

  Json::Array elements(std::size_t depth) {
    enter(depth);
    Json::Array array;
    if (take(']'))
      return array;
    do {
      array.push_back(value(depth));
      skip_space();
    } while (take(','));
    if (!take(']'))
      fail("no comma and no bracket");
    return array;
  }

  Json::Object members(std::size_t depth) {
    enter(depth);
    Json::Object object;
    if (take('}'))
      return object;
    do {
      skip_space();
      if (peek() != '"')
        fail("no name");
      std::string name = string();
      skip_space();
      if (!take(':'))
        fail("no colon");
      object.push_back({std::move(name), value(depth)});
      skip_space();
    } while (take(','));
    if (!take('}'))
      fail("no comma and no brace");
    refuse_repeats(object);
    return object;
  }

  void refuse_repeats(const Json::Object &object) const {
    std::vector<std::string_view> names;
    names.reserve(object.size());
    for (const Json::Member &member : object)
      names.push_back(member.name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end())
      fail("the name " + json_string(*twice) +
           " stands twice in the object that ends");
  }

  Json::Number number() {
    const std::size_t start = at_;
    take('-');
    if (!take('0'))
      digits();
    if (take('.'))
      digits();
    if (take('e') || take('E')) {
      if (!take('+'))
        take('-');
      digits();
    }
    return {std::string(text_.substr(start, at_ - start))};
  }

  void digits() {
    if (peek() < '0' || peek() > '9')
      fail("no value");
    while (peek() >= '0' && peek() <= '9')
      ++at_;
  }

  std::string string() {
    ++at_;
    std::string out;
    while (!take('"')) {
      if (take('\\')) {
        escape(out);
        continue;
      }
      const std::size_t length = utf8::length_at(text_, at_);
      if (length == 0 || static_cast<unsigned char>(text_[at_]) < 0x20)
        fail("a string that is not closed, no UTF-8, or a control character");
      out += text_.substr(at_, length);
      at_ += length;
    }
    return out;
  }

  void escape(std::string &out) {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    if (take('u')) {
      utf8::append(out, escaped_code_point());
      return;
    }
    const std::size_t letter = letters.find(peek());
    if (at_ >= text_.size() || letter == std::string_view::npos)
      fail("an unknown escape");
    out += meanings[letter];
    ++at_;
  }

  char32_t escaped_code_point() {
    const char32_t unit = hex_unit();
    if (unit < 0xd800 || unit > 0xdfff)
      return unit;
    const bool pair = unit <= 0xdbff && take('\\') && take('u');
    const char32_t low = pair ? hex_unit() : 0;
    if (low < 0xdc00 || low > 0xdfff)
      fail("a lone surrogate");
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }

  char32_t hex_unit() {
    char32_t unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char digit = peek();
      if (digit >= '0' && digit <= '9')
        unit = unit << 4 | static_cast<char32_t>(digit - '0');
      else if (digit >= 'a' && digit <= 'f')
        unit = unit << 4 | static_cast<char32_t>(digit - 'a' + 10);
      else if (digit >= 'A' && digit <= 'F')
        unit = unit << 4 | static_cast<char32_t>(digit - 'A' + 10);
      else
        fail("an escape without four digits");
    }
    return unit;
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::size_t at_ = 0;
};

} // namespace

Json Json::parse(std::string_view text, std::size_t max_depth) {
  return JsonReader(text, max_depth).document();
}

} // namespace assize
