// What a person reads when a case fails.
#pragma once

#include "conformance/suite/case.hpp"
#include "conformance/suite/judge.hpp"

#include <string>

namespace assize {

// The case, what it expected and got, and how to run and explain it alone.
std::string report(const Case &asked, const Judgement &judgement);

// One line for what does not count.
std::string brief(const Case &asked, const Judgement &judgement);

} // namespace assize
