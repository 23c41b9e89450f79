// Path selection: which of a turn's files is read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kernel {

// The first path of a turn entry, in code point order, that names a readable
// file below the root; spelled as the entry spells it.
std::optional<std::string> select_path(std::string_view entry,
                                       const std::filesystem::path &root);

} // namespace kernel
