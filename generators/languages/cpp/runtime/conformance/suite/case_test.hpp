// One GoogleTest test a case, registered when the program starts.
#pragma once

#include "conformance/runtime/exchange.hpp"
#include "conformance/suite/judge.hpp"
#include "conformance/suite/manifest.hpp"
#include "conformance/suite/sentinel.hpp"

#include <string>

namespace assize {

// What the tests share.
struct Suite {
  const Manifest &manifest;
  const Declaration &declaration;
  Testee &testee;
  Sentinel &sentinel;
  // The least weight that fails a test.
  Weight counted;
};

// Registers the tests that this filter can select: all, or those of the one
// law that it names, so that the files of the others need not be read.
void register_tests(Suite &suite, const std::string &filter);

} // namespace assize
