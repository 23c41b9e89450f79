#include "path_selection.hpp"

#include "conformance/runtime/utf8.hpp"
#include "json.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <vector>

namespace kernel {
namespace {

namespace fs = std::filesystem;

// A path that no file system can be asked for is passed over like one that
// names nothing.
std::optional<fs::path> to_path(const std::string &spelling) {
  if (spelling.empty() || spelling.find('\0') != std::string::npos ||
      !assize::utf8::is_valid(spelling))
    return std::nullopt;
  // Through char8_t the bytes are UTF-8 on every system, whatever the locale.
  return fs::path(std::u8string(spelling.begin(), spelling.end()));
}

bool steps_outside(const fs::path &path) {
  int depth = 0;
  for (const fs::path &name : path) {
    if (name == "..")
      --depth;
    else if (!name.empty() && name != ".")
      ++depth;
    if (depth < 0)
      return true;
  }
  return path.is_absolute();
}

// Whether a file that has been found lies below the root once every link is
// followed.
bool lies_below(const fs::path &file, const fs::path &root) {
  const auto [in_root, in_file] = std::ranges::mismatch(root, file);
  return in_root == root.end();
}

bool is_readable(const fs::path &path, const fs::path &root) {
  if (steps_outside(path))
    return false;
  std::error_code error;
  // canonical() follows every link, and fails for what is not there.
  const fs::path file = fs::canonical(root / path, error);
  if (error || !lies_below(file, root))
    return false;
  // Neither a folder nor a pipe, which would block.
  return fs::is_regular_file(file, error) && std::ifstream(file).is_open();
}

} // namespace

std::optional<std::string> select_path(std::string_view entry,
                                       const fs::path &root) {
  const Value document = read_json(entry, {});
  const Value *member = document.find("paths");
  const auto *paths = member != nullptr ? member->as<Value::Array>() : nullptr;
  if (paths == nullptr)
    throw Refusal("A_INPUT", "a turn entry has an array `paths`");
  std::vector<std::string> spellings;
  for (const Value &path : *paths) {
    const auto *spelling = path.as<std::string>();
    if (spelling == nullptr)
      throw Refusal("A_INPUT", "a path is a string");
    spellings.push_back(*spelling);
  }
  std::ranges::sort(spellings);
  std::error_code error;
  const fs::path folder = fs::canonical(root, error);
  if (error)
    return std::nullopt; // without a folder nothing is readable
  for (const std::string &spelling : spellings) {
    const auto path = to_path(spelling);
    if (path && is_readable(*path, folder))
      return spelling;
  }
  return std::nullopt;
}

} // namespace kernel
