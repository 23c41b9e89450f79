// Why an operation refuses its input.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace kernel {

class Refusal : public std::runtime_error {
public:
  Refusal(std::string code, const std::string &why)
      : std::runtime_error(code + ": " + why), code_(std::move(code)) {}

  [[nodiscard]] const std::string &code() const { return code_; }

private:
  std::string code_;
};

// A value that could be read but has no canonical form. Which code that is
// depends on the operation.
class Uncanonical : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace kernel
