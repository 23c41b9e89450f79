// Base64 (RFC 4648, section 4): how bytes travel inside JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assize {

std::string base64_encode(std::string_view bytes);

// Nothing unless the text is whole groups of the alphabet, padded at the end.
std::optional<std::string> base64_decode(std::string_view text);

} // namespace assize
