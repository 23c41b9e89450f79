// vectors/manifest.json: the laws of the suite, and how many cases each has.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace assize {

struct Law {
  std::string slug;
  std::string title;
  std::string statement;
  std::size_t count;
  std::filesystem::path file;
  std::string sha256;
};

// A case that is known to fail, and how.
struct KnownFailure {
  std::string outcome;
  std::string reason;
  std::string link;
};

struct Manifest {
  std::size_t total;
  std::vector<Law> laws;
  std::map<std::string, KnownFailure> known;
};

// The manifest of the project in this folder; throws if there is none.
Manifest load_manifest(const std::filesystem::path &project);

} // namespace assize
