// SHA-256 (FIPS 180-4), so that nothing beyond the standard library is needed.
#pragma once

#include <string>
#include <string_view>

namespace assize {

// The digest of the bytes as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

} // namespace assize
