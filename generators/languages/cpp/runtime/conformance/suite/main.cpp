// Runs the cases below vectors/ against the kernel.
#include "conformance/runtime/exchange.hpp"
#include "conformance/suite/case_test.hpp"
#include "conformance/suite/exit_guard.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <exception>
#include <iostream>

namespace {

// A shard, like a filter, leaves cases out on purpose; a list runs none.
bool is_partial() {
  return GTEST_FLAG_GET(list_tests) ||
         std::getenv("GTEST_TOTAL_SHARDS") != nullptr;
}

// ctest shows a law as skipped by the line that this makes run() print.
bool all_skipped() {
  const auto &tests = *testing::UnitTest::GetInstance();
  return tests.test_to_run_count() > 0 &&
         tests.skipped_test_count() == tests.test_to_run_count();
}

bool run() {
  const auto testee = assize::make_testee();
  const assize::Declaration declaration = testee->declaration();
  if (const auto why = assize::problem(declaration, testee->known())) {
    std::cerr << "suite: " << *why << '\n';
    return false;
  }
  const assize::Manifest manifest = assize::load_manifest(ASSIZE_PROJECT);
  assize::Sentinel sentinel(manifest);
  assize::Suite suite{manifest, declaration, *testee, sentinel,
                      assize::counted(std::getenv("ASSIZE_FAIL_ON"))};
  const std::string filter = GTEST_FLAG_GET(filter);
  assize::register_tests(suite, filter);
  bool passed = RUN_ALL_TESTS() == 0;
  if (is_partial())
    return passed;
  // Not a test of its own: GoogleTest passes when no test is there to run.
  for (const std::string &problem : sentinel.missing(filter)) {
    std::cerr << "sentinel: " << problem << '\n';
    passed = false;
  }
  if (passed && all_skipped())
    std::cout << "suite: every case is skipped\n";
  return passed;
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) {
    std::cerr << "suite: unknown argument " << argv[1] << '\n';
    return EXIT_FAILURE;
  }
  try {
    const assize::ExitGuard guard;
    return run() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception &error) {
    std::cerr << "suite: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
