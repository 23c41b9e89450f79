#include "canon.hpp"

#include "conformance/runtime/utf8.hpp"
#include "number.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace kernel {

const Profile sovereign_profile = {
    .dialect = {.max_depth = 256, .constants = true},
    .key_order = Profile::KeyOrder::code_point,
    .numbers = Profile::Numbers::integers,
    .repeats = Profile::Repeats::refused,
};

const Profile rfc8785_profile = {
    .dialect = {.max_depth = 1000, .constants = false},
    .key_order = Profile::KeyOrder::utf16,
    .numbers = Profile::Numbers::ecmascript,
    .repeats = Profile::Repeats::refused,
};

const Profile episode_profile = {
    .dialect = {.max_depth = 1000, .constants = false},
    .key_order = Profile::KeyOrder::utf16,
    .numbers = Profile::Numbers::safe_ecmascript,
    .repeats = Profile::Repeats::refused,
};

const Profile authority_profile = {
    .dialect = {.max_depth = 1000, .constants = true},
    .key_order = Profile::KeyOrder::code_point,
    .numbers = Profile::Numbers::python,
    .repeats = Profile::Repeats::last_wins,
};

namespace {

// 2^53 - 1: beyond it a double may stand for more than one integer.
constexpr std::string_view max_safe_integer = "9007199254740991";

std::u16string utf16(std::string_view name) {
  std::u16string units;
  for (std::size_t at = 0; at < name.size();) {
    const auto byte = [&](std::size_t i) {
      return static_cast<char32_t>(static_cast<unsigned char>(name[at + i]));
    };
    const std::size_t length = assize::utf8::length_at(name, at);
    if (length == 0)
      throw Uncanonical("a lone surrogate in a name");
    constexpr char32_t lead_masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    char32_t point = byte(0) & lead_masks[length];
    for (std::size_t i = 1; i < length; ++i)
      point = point << 6 | (byte(i) & 0x3f);
    if (point >= 0x10000) {
      units += static_cast<char16_t>(0xd800 + ((point - 0x10000) >> 10));
      units += static_cast<char16_t>(0xdc00 + (point & 0x3ff));
    } else {
      units += static_cast<char16_t>(point);
    }
    at += length;
  }
  return units;
}

bool precedes(Profile::KeyOrder order, const std::string &a,
              const std::string &b) {
  if (order == Profile::KeyOrder::utf16)
    return utf16(a) < utf16(b);
  // char_traits<char> compares unsigned bytes, even where char is signed, and
  // the byte order of UTF-8 is that of code points.
  return a < b;
}

class Writer {
public:
  explicit Writer(const Profile &profile) : profile_(profile) {}

  std::string take() { return std::move(out_); }

  // Recursion is bounded by the depth to which the value was read.
  void write(const Value &value) {
    if (const auto *object = value.as<Value::Object>())
      write_object(*object);
    else if (const auto *array = value.as<Value::Array>())
      write_array(*array);
    else if (const auto *string = value.as<std::string>())
      write_string(*string);
    else if (const auto *number = value.as<Number>())
      write_number(*number);
    else if (const auto *truth = value.as<bool>())
      out_ += *truth ? "true" : "false";
    else
      out_ += "null";
  }

private:
  void write_array(const Value::Array &array) {
    out_ += '[';
    std::string_view separator;
    for (const Value &element : array) {
      out_ += separator;
      write(element);
      separator = ",";
    }
    out_ += ']';
  }

  void write_object(const Value::Object &object) {
    out_ += '{';
    std::string_view separator;
    for (const Member *member : sorted(object)) {
      out_ += separator;
      write_string(member->name);
      out_ += ':';
      write(member->value);
      separator = ",";
    }
    out_ += '}';
  }

  // The members that count, in canonical order.
  [[nodiscard]] std::vector<const Member *>
  sorted(const Value::Object &object) const {
    std::vector<const Member *> members;
    members.reserve(object.size());
    for (const Member &member : object)
      members.push_back(&member);
    // Stable, so that of equal names the last stays the last.
    std::ranges::stable_sort(members, [this](const Member *a, const Member *b) {
      return precedes(profile_.key_order, a->name, b->name);
    });
    std::vector<const Member *> kept;
    kept.reserve(members.size());
    for (const Member *member : members) {
      if (kept.empty() || kept.back()->name != member->name)
        kept.push_back(member);
      else if (profile_.repeats == Profile::Repeats::last_wins)
        kept.back() = member;
      else
        throw Uncanonical("a repeated name");
    }
    return kept;
  }

  void write_string(std::string_view string) {
    constexpr std::string_view hex = "0123456789abcdef";
    constexpr std::string_view short_controls = "\b\t\n\f\r";
    constexpr std::string_view short_letters = "btnfr";
    if (!assize::utf8::is_valid(string))
      throw Uncanonical("a lone surrogate");
    out_ += '"';
    for (const char letter : string) {
      const auto byte = static_cast<unsigned char>(letter);
      const std::size_t control = short_controls.find(letter);
      if (letter == '"' || letter == '\\') {
        out_ += '\\';
        out_ += letter;
      } else if (control != std::string_view::npos) {
        out_ += '\\';
        out_ += short_letters[control];
      } else if (byte < 0x20) {
        out_ += "\\u00";
        out_ += hex[byte >> 4];
        out_ += hex[byte & 0xf];
      } else {
        out_ += letter;
      }
    }
    out_ += '"';
  }

  void write_number(const Number &number) {
    switch (profile_.numbers) {
    case Profile::Numbers::integers:
      if (!number.is_integer() || number.token == "-0")
        throw Uncanonical("a float, or -0");
      out_ += number.token;
      break;
    case Profile::Numbers::safe_ecmascript:
      if (number.is_integer() && !is_safe(number.token))
        throw Uncanonical("an integer beyond 2^53-1");
      [[fallthrough]];
    case Profile::Numbers::ecmascript:
      out_ += ecmascript_number(finite(number));
      break;
    case Profile::Numbers::python:
      if (!number.is_integer())
        out_ += python_number(finite(number));
      else
        out_ += number.token == "-0" ? "0" : number.token;
      break;
    }
  }

  static bool is_safe(std::string_view token) {
    if (token.starts_with('-'))
      token.remove_prefix(1);
    return compare_integers(token, max_safe_integer) <= 0;
  }

  static double finite(const Number &number) {
    const auto value = to_double(number.token);
    if (!value)
      throw Uncanonical("no finite number");
    return *value;
  }

  const Profile &profile_;
  std::string out_;
};

} // namespace

std::string canonicalize(const Value &value, const Profile &profile) {
  Writer writer(profile);
  writer.write(value);
  return writer.take();
}

} // namespace kernel
