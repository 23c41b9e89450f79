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
};

struct Judgement {
  Outcome outcome;
  // Of the alternative that comes closest.
  std::vector<FailedCheck> failed;
};

Judgement judge(const std::vector<Alternative> &expect, const Reply &reply);

} // namespace assize
