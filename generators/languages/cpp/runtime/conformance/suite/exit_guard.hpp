// An implementation that calls std::exit must not choose how the run ended.
#pragma once

namespace assize {

// While one lives, std::exit ends the process as a failure, whatever its
// status. For one thread and one guard at a time.
class ExitGuard {
public:
  ExitGuard();
  ~ExitGuard();
  ExitGuard(const ExitGuard &) = delete;
  ExitGuard &operator=(const ExitGuard &) = delete;
};

} // namespace assize
