// A case in its resolved form: one line of a law's file below vectors/.
#pragma once

#include "conformance/runtime/json.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assize {

// The value there, as a value.
struct IsValue {
  Json value;
};
// This set of codes.
struct IsCodes {
  std::vector<std::string> codes;
};
// Exactly these bytes of a bytes output.
struct IsBytes {
  std::string bytes;
};
// Exactly this text of a document output.
struct IsText {
  std::string text;
};
// An array of so many items.
struct HasLength {
  std::size_t length;
};
// An object, whatever is in it.
struct IsObject {};
// An object with exactly these names.
struct HasNames {
  std::vector<std::string> names;
};

struct Check {
  // RFC 6901, into {is, codes, out}, and on into documents.
  std::string pointer;
  std::variant<IsValue, IsCodes, IsBytes, IsText, HasLength, IsObject, HasNames>
      demand;
};

// An answer conforms if every check of one alternative holds.
using Alternative = std::vector<Check>;

struct CaseFile {
  enum class Kind { file, directory, symlink, unreadable };
  std::string path;
  Kind kind;
  // Bytes of a file, target of a link.
  std::string content;
};

struct Case {
  std::string id;
  std::string law;
  std::string op;
  Json args;
  std::map<std::string, std::string> documents;
  bool root;
  std::vector<CaseFile> files;
  std::string rationale;
  std::string spec;
  std::vector<Alternative> expect;
  // Where it stands.
  std::string file;
  int line;
};

// Names as GoogleTest allows them, without `/` and `-`, which filters give a
// meaning: both become `_`. Slugs and ids hold no `_` themselves, and no
// system's name holds a `-`, so that no two ids meet.
std::string test_name(std::string_view slug_or_id);

// `suite.test`, as a filter selects it.
std::string full_test_name(const Case &asked);

// All cases of a law's file; throws for a line that is none.
std::vector<Case> load_cases(const std::filesystem::path &file);

// The bytes of a file; throws if it cannot be read.
std::string read_file(const std::filesystem::path &file);

} // namespace assize
