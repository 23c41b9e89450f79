// Canonical bytes in the four profiles.
#pragma once

#include "json.hpp"

#include <string>
#include <string_view>

namespace kernel {

// How profiles differ; white space and escapes are the same in all of them.
struct Profile {
  enum class KeyOrder { code_point, utf16 };
  enum class Numbers { integers, ecmascript, safe_ecmascript, python };
  enum class Repeats { refused, last_wins };

  Dialect dialect;
  KeyOrder key_order;
  Numbers numbers;
  Repeats repeats;
};

extern const Profile rfc8785_profile;
extern const Profile episode_profile;
extern const Profile sovereign_profile;
extern const Profile authority_profile;

// The canonical bytes of a value; throws Uncanonical.
std::string canonicalize(const Value &value, const Profile &profile);

} // namespace kernel
