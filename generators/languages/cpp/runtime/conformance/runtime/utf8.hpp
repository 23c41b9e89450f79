// Code points and their UTF-8 spelling.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assize::utf8 {

// Appends a code point. A surrogate is spelled as if it were a character
// (WTF-8), since a JSON escape can name one alone; is_valid tells afterwards.
void append(std::string &out, char32_t code_point);

// The length of the character at `at`, or 0 if no valid UTF-8 stands there.
std::size_t length_at(std::string_view text, std::size_t at);

// Whether the whole text is UTF-8, without surrogates and overlong spellings.
bool is_valid(std::string_view text);

} // namespace assize::utf8
