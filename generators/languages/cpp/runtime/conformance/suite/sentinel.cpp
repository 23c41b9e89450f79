#include "conformance/suite/sentinel.hpp"

#include "conformance/runtime/sha256.hpp"
#include "conformance/suite/case.hpp"

#include <exception>
#include <sstream>

namespace assize {
namespace {

bool owes(const std::string &filter, const Law &law) {
  return filter == "*" || filter == test_name(law.slug) + ".*";
}

// The cases of a law, as one word for a message.
std::string counted(const Law &law, std::size_t found, const char *what) {
  return law.slug + ": " + std::to_string(found) + " cases " + what +
         ", and the manifest has " + std::to_string(law.count);
}

void compare(const Law &law, std::vector<std::string> &problems) {
  try {
    if (sha256_hex(read_file(law.file)) != law.sha256)
      problems.push_back(law.slug + ": " + law.file.string() +
                         " is not the file of the manifest");
    const std::vector<Case> cases = load_cases(law.file);
    std::set<std::string> names;
    for (const Case &found : cases) {
      names.insert(test_name(found.id));
      if (found.law != law.slug)
        problems.push_back(law.slug + ": a case of another law, " + found.id);
    }
    if (cases.size() != law.count)
      problems.push_back(counted(law, cases.size(), "in its file"));
    if (names.size() != cases.size())
      problems.push_back(law.slug + ": two cases of one name");
  } catch (const std::exception &error) {
    problems.push_back(law.slug + ": " + error.what());
  }
}

std::set<std::string> laws_of_ctest() {
  std::istringstream list(ASSIZE_LAWS);
  std::set<std::string> laws;
  for (std::string law; list >> law;)
    laws.insert(law);
  return laws;
}

} // namespace

std::vector<std::string> Sentinel::missing(const std::string &filter) const {
  std::vector<std::string> problems;
  for (const Law &law : manifest_.laws) {
    if (!owes(filter, law))
      continue;
    std::size_t seen = 0;
    for (const std::string &id : seen_)
      seen += id.starts_with(law.slug + "/") ? 1 : 0;
    if (seen != law.count)
      problems.push_back(counted(law, seen, "executed or skipped"));
  }
  return problems;
}

std::vector<std::string> strayed(const Manifest &manifest) {
  std::vector<std::string> problems;
  std::set<std::string> slugs;
  std::size_t total = 0;
  for (const Law &law : manifest.laws) {
    slugs.insert(law.slug);
    total += law.count;
    compare(law, problems);
  }
  if (total == 0 || total != manifest.total)
    problems.push_back("the laws have " + std::to_string(total) +
                       " cases, and the manifest says " +
                       std::to_string(manifest.total));
  if (slugs != laws_of_ctest())
    problems.push_back("ctest runs other laws than the manifest has: "
                       "configure the build again");
  return problems;
}

} // namespace assize
