// Nothing may vanish: a suite that runs no tests must not pass.
#pragma once

#include "conformance/suite/manifest.hpp"

#include <set>
#include <string>
#include <vector>

namespace assize {

class Sentinel {
public:
  explicit Sentinel(const Manifest &manifest) : manifest_(manifest) {}

  // Notes a case that was executed or skipped.
  void saw(const std::string &id) { seen_.insert(id); }

  // What is missing once a run under this filter is over. A run of everything
  // owes all laws, one of `law.*` owes that law, any other owes nothing.
  [[nodiscard]] std::vector<std::string>
  missing(const std::string &filter) const;

private:
  const Manifest &manifest_;
  std::set<std::string> seen_;
};

// Where the files below vectors/ are not those of the manifest, and where the
// laws that ctest runs are not.
std::vector<std::string> strayed(const Manifest &manifest);

} // namespace assize
