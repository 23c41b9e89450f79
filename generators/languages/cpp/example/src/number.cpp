#include "number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <system_error>

namespace kernel {
namespace {

// The shortest digits that read back as the same double: d.ddd * 10^exponent.
struct Decimal {
  bool negative;
  std::string digits;
  int exponent;
};

// to_chars finds these digits whatever the locale is; only their layout is
// neither ECMAScript's nor Python's.
Decimal shortest(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                    std::abs(value), std::chars_format::scientific);
  const std::string_view text(buffer.data(),
                              static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');
  Decimal decimal{std::signbit(value), std::string(text.substr(0, 1)), 0};
  if (e > 1)
    decimal.digits += text.substr(2, e - 2);
  // from_chars takes no plus sign.
  const std::string_view power =
      text.substr(text[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(power.data(), power.data() + power.size(), decimal.exponent);
  return decimal;
}

// Digits with the point where it belongs, without an exponent.
std::string positional(const Decimal &decimal) {
  const std::string &digits = decimal.digits;
  if (decimal.exponent < 0) {
    std::string text = "0.";
    text.append(static_cast<std::size_t>(-decimal.exponent) - 1, '0');
    return text + digits;
  }
  const auto whole = static_cast<std::size_t>(decimal.exponent) + 1;
  if (digits.size() <= whole)
    return digits + std::string(whole - digits.size(), '0');
  return std::string(digits).insert(whole, 1, '.');
}

std::string scientific(const Decimal &decimal, std::size_t exponent_digits) {
  std::string text = decimal.digits;
  if (text.size() > 1)
    text.insert(1, 1, '.');
  const std::string power = std::to_string(std::abs(decimal.exponent));
  text += decimal.exponent < 0 ? "e-" : "e+";
  if (power.size() < exponent_digits)
    text += std::string(exponent_digits - power.size(), '0');
  return text + power;
}

// The power of ten of the first digit that is not zero.
long long magnitude(std::string_view token) {
  constexpr long long huge = 1'000'000'000'000;
  const std::size_t e = std::min(token.find_first_of("eE"), token.size());
  const std::string_view mantissa = token.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  const long long shift = static_cast<long long>(point) -
                          static_cast<long long>(first) -
                          (first < point ? 1 : 0);
  if (e == token.size())
    return shift;
  std::string_view power = token.substr(e + 1);
  if (power.starts_with('+'))
    power.remove_prefix(1);
  long long exponent = 0;
  const auto [end, error] =
      std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (error == std::errc::result_out_of_range || std::abs(exponent) > huge)
    return power.starts_with('-') ? -huge : huge;
  return shift + exponent;
}

} // namespace

std::optional<double> to_double(std::string_view token) {
  double value = 0;
  const std::errc error =
      std::from_chars(token.data(), token.data() + token.size(), value).ec;
  // "Out of range" is said of what is too small as well, and the value is left
  // alone; that is zero, with its sign.
  if (error == std::errc::result_out_of_range && magnitude(token) < 0)
    return token.starts_with('-') ? -0.0 : 0.0;
  // NaN and the infinities are read like numbers.
  if (error != std::errc{} || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string ecmascript_number(double value) {
  if (value == 0)
    return "0";
  const Decimal decimal = shortest(value);
  const bool plain = decimal.exponent >= -6 && decimal.exponent < 21;
  const std::string sign = decimal.negative ? "-" : "";
  return sign + (plain ? positional(decimal) : scientific(decimal, 1));
}

std::string python_number(double value) {
  const Decimal decimal = shortest(value);
  std::string text = decimal.negative ? "-" : "";
  if (decimal.exponent < -4 || decimal.exponent >= 16)
    return text + scientific(decimal, 2);
  text += positional(decimal);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

int compare_integers(std::string_view a, std::string_view b) {
  const bool negative = a.starts_with('-');
  if (negative != b.starts_with('-'))
    return negative ? -1 : 1;
  if (negative)
    return compare_integers(b.substr(1), a.substr(1));
  // Tokens have no leading zeros, so the longer one is the larger one.
  if (a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

} // namespace kernel
