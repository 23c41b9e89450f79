#include "conformance/suite/report.hpp"

#include <string_view>

namespace assize {
namespace {

constexpr std::size_t longest = 600;

std::string cut(const std::string &text) {
  if (text.size() <= longest)
    return text;
  std::size_t end = longest;
  // Not inside a character of UTF-8.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  return text.substr(0, end) + "... (" + std::to_string(text.size()) +
         " bytes)";
}

} // namespace

std::string report(const Case &asked, const Judgement &judgement) {
  std::string out;
  const auto line = [&out](std::string_view label, const std::string &text) {
    out += label;
    out += text;
    out += '\n';
  };
  line("case       ", asked.id);
  line("law        ", asked.law);
  line("rationale  ", asked.rationale);
  line("spec       ", asked.spec);
  line("outcome    ", std::string(assize::name(judgement.outcome)));
  for (const FailedCheck &failed : judgement.failed) {
    line("at         ", failed.pointer.empty() ? "the answer" : failed.pointer);
    line("  force    ", spelled(failed.force));
    line("  expected ", cut(failed.expected));
    line("  actual   ", cut(failed.actual));
  }
  line("again      ", "build/suite --gtest_filter=" + full_test_name(asked));
  line("explain    ", "assize explain " + asked.id);
  return out;
}

std::string brief(const Case &asked, const Judgement &judgement) {
  std::string out =
      std::string(assize::name(judgement.outcome)) + " of " + asked.id + " at ";
  for (const FailedCheck &failed : judgement.failed)
    out += failed.pointer + (&failed != &judgement.failed.back() ? ", " : "");
  return out + "; ASSIZE_FAIL_ON=remark shows more";
}

} // namespace assize
