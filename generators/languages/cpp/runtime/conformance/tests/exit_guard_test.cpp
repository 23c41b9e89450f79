// That ending the process early is a failure, and returning from main is none.
#include "conformance/suite/exit_guard.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using assize::ExitGuard;
using testing::ExitedWithCode;

TEST(ExitGuard, MakesAnEarlyExitAFailure) {
  const auto exit_early = [] {
    const ExitGuard guard;
    std::exit(EXIT_SUCCESS);
  };
  EXPECT_EXIT(exit_early(), ExitedWithCode(EXIT_FAILURE), "ended the process");
}

TEST(ExitGuard, LeavesALaterExitAlone) {
  const auto exit_later = [] {
    { const ExitGuard guard; }
    std::exit(EXIT_SUCCESS);
  };
  EXPECT_EXIT(exit_later(), ExitedWithCode(EXIT_SUCCESS), "");
}

} // namespace
