// What an implementation can say, in types.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace assize {

// A JSON text, complete and in UTF-8: documents and structured values travel
// as text, so that every number keeps its spelling.
struct JsonText {
  std::string text;
};

// The implementation refuses: a judgement, with its codes in any order.
struct Rejected {
  std::vector<std::string> codes;
};

// The implementation has no such thing. Only for what is not declared.
struct Unsupported {};

// An exception is none of these: it means that the implementation broke.
template <class Accepted, class Refused = Rejected>
using Answer = std::variant<Accepted, Refused, Unsupported>;

} // namespace assize
