#include "conformance/suite/exit_guard.hpp"

#include <cstdlib>
#include <iostream>
#include <stdexcept>

namespace assize {
namespace {

bool armed = false;

void refuse_exit() {
  if (!armed)
    return;
  std::cerr << "suite: the implementation ended the process before the last "
               "case was over\n";
  std::_Exit(EXIT_FAILURE);
}

} // namespace

ExitGuard::ExitGuard() {
  if (std::atexit(refuse_exit) != 0)
    throw std::runtime_error("no handler can be added to std::exit");
  armed = true;
}

ExitGuard::~ExitGuard() { armed = false; }

} // namespace assize
