#include "conformance/runtime/base64.hpp"

#include <cstddef>
#include <cstdint>

namespace assize {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::optional<std::uint32_t> sextet(char letter) {
  const std::size_t found = alphabet.find(letter);
  if (found == std::string_view::npos)
    return std::nullopt;
  return static_cast<std::uint32_t>(found);
}

} // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 |
             (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += i <= group.size() ? alphabet[bits >> (18 - 6 * i) & 0x3f] : '=';
  }
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0)
    return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::string_view group = text.substr(at, 4);
    if (at + 4 == text.size())
      while (group.size() > 2 && group.ends_with('='))
        group.remove_suffix(1);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto six =
          i < group.size() ? sextet(group[i]) : std::optional<std::uint32_t>{0};
      if (!six)
        return std::nullopt;
      bits = bits << 6 | *six;
    }
    for (std::size_t i = 0; i + 1 < group.size(); ++i)
      out +=
          static_cast<char>(static_cast<unsigned char>(bits >> (16 - 8 * i)));
  }
  return out;
}

} // namespace assize
