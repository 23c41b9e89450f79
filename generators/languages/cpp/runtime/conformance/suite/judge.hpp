// Whether a reply conforms to a case.
#pragma once

#include "conformance/runtime/exchange.hpp"
#include "conformance/suite/case.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assize {

// From the nearest to a conforming answer to the farthest.
enum class Outcome {
  pass,
  wrong_output,
  wrong_code,
  wrong_verdict,
  broken_promise,
  fault,
};

// As reports and known failures spell it, such as WRONG-CODE.
std::string_view name(Outcome outcome);

struct FailedCheck {
  std::string pointer;
  std::string expected;
  std::string actual;
  // What is not an answer is against the specification.
  Force force = {};
};

struct Judgement {
  Outcome outcome;
  // Of the alternative that weighs least, or of several that which comes
  // closest.
  std::vector<FailedCheck> failed;
};

// That of the strongest check that fails.
Weight weight(const Judgement &judgement);

// The rulings that an answer is against, in order.
std::vector<std::string> rulings(const Judgement &judgement);

// The least weight that fails a test, by the word for it; null or nothing is
// the default. Throws for an unknown word.
Weight counted(const char *said);

Judgement judge(const std::vector<Alternative> &expect, const Reply &reply);

} // namespace assize
