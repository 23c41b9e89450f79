// A folder on disk as the verifier's files, and back.
#pragma once

#include <cerrno>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <variant>

namespace assize {

// Files in memory, which the views among them look at. `Files` and what stands in
// it are those of the package.
template <class Verifier> struct Tree {
  std::deque<std::string> held;
  typename Verifier::Files files;
};

// Reads a folder. What is neither file, folder nor link, or a file that cannot be
// read, stands as a link that leads nowhere; a folder that cannot be read throws.
template <class Verifier> Tree<Verifier> read_tree(const std::filesystem::path &root) {
  namespace fs = std::filesystem;
  Tree<Verifier> tree;
  if (root.empty())
    return tree;
  for (fs::recursive_directory_iterator at(root), end; at != end; ++at) {
    const std::string name = at->path().lexically_relative(root).generic_string();
    const fs::file_status about = at->symlink_status();
    typename Verifier::Link link;
    if (fs::is_directory(about)) {
      tree.files.emplace(name, typename Verifier::Folder{});
      continue;
    }
    if (fs::is_regular_file(about)) {
      std::ifstream file(at->path(), std::ios::binary);
      if (file) {
        tree.held.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        tree.files.emplace(name, typename Verifier::File{tree.held.back()});
        continue;
      }
    } else if (fs::is_symlink(about)) {
      std::error_code error;
      const fs::path to = fs::read_symlink(at->path(), error);
      if (!error)
        link.to = tree.held.emplace_back(to.string());
    }
    tree.files.emplace(name, link);
  }
  return tree;
}

// Does to a folder what an operation did to its files. What goes goes first, so
// that no link is written through.
template <class Verifier>
void write_changes(const std::filesystem::path &root, const typename Verifier::Changes &changes) {
  namespace fs = std::filesystem;
  if (root.empty())
    return;
  for (const auto &[name, change] : changes)
    if (std::holds_alternative<typename Verifier::Gone>(change) || fs::is_symlink(fs::symlink_status(root / name)))
      fs::remove_all(root / name);
  for (const auto &[name, change] : changes) {
    const fs::path place = root / name;
    if (std::holds_alternative<typename Verifier::Folder>(change))
      fs::create_directories(place);
    const auto *bytes = std::get_if<std::string>(&change);
    if (bytes == nullptr)
      continue;
    fs::create_directories(place.parent_path());
    std::ofstream file(place, std::ios::binary | std::ios::trunc);
    file.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
    file.close();
    if (!file)
      throw fs::filesystem_error("cannot be written", place, std::error_code(errno, std::generic_category()));
  }
}

} // namespace assize
