#include "conformance/runtime/json.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace assize {
namespace {

template <class T> const T *get(const Json::Value &value) {
  return std::get_if<T>(&value);
}

void append_quoted(std::string &out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::string_view controls = "\b\f\n\r\t";
  constexpr std::string_view letters = "bfnrt";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (controls.find(c) != std::string_view::npos) {
      out += '\\';
      out += letters[controls.find(c)];
    } else if (byte < 0x20) {
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 0xf];
    } else {
      out += c;
    }
  }
  out += '"';
}

// Recursion is bounded by the depth that JsonReader allows.
void append_text(std::string &out, const Json &json) {
  const Json::Value &value = json.value();
  if (const auto *truth = get<bool>(value)) {
    out += *truth ? "true" : "false";
  } else if (const auto *number = get<Json::Number>(value)) {
    out += number->token;
  } else if (const auto *string = get<std::string>(value)) {
    append_quoted(out, *string);
  } else if (const auto *array = get<Json::Array>(value)) {
    out += '[';
    for (const Json &element : *array) {
      if (&element != &array->front())
        out += ',';
      append_text(out, element);
    }
    out += ']';
  } else if (const auto *object = get<Json::Object>(value)) {
    out += '{';
    for (const Json::Member &member : *object) {
      if (&member != &object->front())
        out += ',';
      append_quoted(out, member.name);
      out += ':';
      append_text(out, member.value);
    }
    out += '}';
  } else {
    out += "null";
  }
}

// The value with its members in order. Bytes of UTF-8 compare as code points
// do.
Json sorted(const Json &json) {
  if (const Json::Array *elements = json.array()) {
    Json::Array out;
    std::ranges::transform(*elements, std::back_inserter(out), sorted);
    return Json(std::move(out));
  }
  if (const Json::Object *members = json.object()) {
    Json::Object out;
    for (const Json::Member &member : *members)
      out.push_back({member.name, sorted(member.value)});
    std::ranges::sort(out, {}, &Json::Member::name);
    return Json(std::move(out));
  }
  return json;
}

bool same_members(const Json::Object &a, const Json &b) {
  const Json::Object *members = b.object();
  return members != nullptr && a.size() == members->size() &&
         std::ranges::all_of(a, [&b](const Json::Member &member) {
           const Json *other = b.find(member.name);
           return other != nullptr && member.value.same(*other);
         });
}

bool same_elements(const Json::Array &a, const Json &b) {
  const Json::Array *elements = b.array();
  return elements != nullptr &&
         std::ranges::equal(a, *elements, [](const Json &x, const Json &y) {
           return x.same(y);
         });
}

} // namespace

const std::string *Json::string() const { return get<std::string>(value_); }
const Json::Array *Json::array() const { return get<Array>(value_); }
const Json::Object *Json::object() const { return get<Object>(value_); }

std::optional<bool> Json::boolean() const {
  const bool *truth = get<bool>(value_);
  return truth != nullptr ? std::optional(*truth) : std::nullopt;
}

std::optional<std::int64_t> Json::integer() const {
  const auto *number = get<Number>(value_);
  if (number == nullptr)
    return std::nullopt;
  const std::string &token = number->token;
  std::int64_t parsed = 0;
  const auto [end, error] =
      std::from_chars(token.data(), token.data() + token.size(), parsed);
  if (error != std::errc{} || end != token.data() + token.size())
    return std::nullopt;
  return parsed;
}

const Json *Json::find(std::string_view name) const {
  const Object *members = object();
  if (members == nullptr)
    return nullptr;
  const auto found = std::ranges::find(*members, name, &Member::name);
  return found != members->end() ? &found->value : nullptr;
}

std::string Json::text() const {
  std::string out;
  append_text(out, *this);
  return out;
}

std::string Json::canonical() const { return sorted(*this).text(); }

bool Json::same(const Json &other) const {
  if (const Object *members = object())
    return same_members(*members, other);
  if (const Array *elements = array())
    return same_elements(*elements, other);
  if (const auto *number = get<Number>(value_)) {
    const auto *token = get<Number>(other.value_);
    return token != nullptr && *number == *token;
  }
  if (const std::string *text = string())
    return other.string() != nullptr && *text == *other.string();
  return value_.index() == other.value_.index() && boolean() == other.boolean();
}

std::string json_string(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

} // namespace assize
