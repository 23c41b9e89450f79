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
// This set of codes among those that a specification registers.
struct IsRegistered {
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
// A document output that is the canonical text of its own value.
struct IsSpelled {};
// An object, whatever is in it.
struct IsObject {};
// Where an object stands: no names but these.
struct IsWithin {
  std::vector<std::string> names;
};
// Where an object stands: no names but these hold more than an empty array or
// object.
struct IsFilledWithin {
  std::vector<std::string> names;
};
// An array, whatever is in it.
struct IsArray {};
// Where an array stands: no more items than so many.
struct HasAtMost {
  std::size_t most;
};
// Nothing.
struct IsAbsent {};
// Nothing, or an array or object that holds nothing.
struct IsEmpty {};

// How much a failing check weighs, the lightest first.
enum class Weight {
  // Nothing fails.
  none,
  // It is against a convention of the protocol alone.
  convention,
  // It is against a ruling, which decides where a specification is silent.
  ruling,
  // It is against a specification.
  specification,
};

// With what right a check binds.
struct Force {
  Weight weight = Weight::specification;
  // The id of the ruling, where it is one.
  std::string ruling;
};

// As a check states it: `spec`, `interface`, or `ruling` with its id.
std::string spelled(const Force &force);

// Reads a force; throws for one that is unknown.
Force read_force(std::string_view text);

struct Check {
  // RFC 6901, into {is, codes, out}, and on into documents.
  std::string pointer;
  std::variant<IsValue, IsCodes, IsRegistered, IsBytes, IsText, IsSpelled,
               IsObject, IsWithin, IsFilledWithin, IsArray, HasAtMost, IsAbsent,
               IsEmpty>
      demand;
  Force force = {};
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
