// The folder of one case: made for it alone, removed whatever happens.
#pragma once

#include "conformance/suite/case.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assize {

class CaseFolder {
public:
  CaseFolder();
  ~CaseFolder();
  CaseFolder(const CaseFolder &) = delete;
  CaseFolder &operator=(const CaseFolder &) = delete;

  [[nodiscard]] const std::filesystem::path &path() const { return path_; }

  // Makes the files in the order given. The result says why the case cannot
  // be asked here, if it cannot. Throws for a path that leaves the folder,
  // before anything is written.
  std::optional<std::string> lay_out(const std::vector<CaseFile> &files);

private:
  std::filesystem::path path_;
};

} // namespace assize
