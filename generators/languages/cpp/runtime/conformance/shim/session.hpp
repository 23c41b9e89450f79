// One session of the testee protocol, ATP/1.
#pragma once

#include "conformance/runtime/exchange.hpp"
#include "conformance/shim/channel.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assize {

class Session {
public:
  Session(Testee &testee, Channel &channel, std::string generator);

  // Serves until goodbye or the end of the input; throws BadFrame.
  void run();

private:
  // Does what one line asks; false when it was the last one.
  bool step(std::string_view line);
  bool hello(const Json &frame);
  void judge(const Json &frame);
  void write_answer(const std::string &id, const Reply &reply,
                    const std::string &seen);
  void write_fault(const std::string &id, std::string_view kind,
                   std::string_view message);

  Testee &testee_;
  Channel &channel_;
  std::string generator_;
  Declaration declaration_;
  bool greeted_ = false;
  std::size_t limit_;
  std::uint64_t served_ = 0;
  std::string chain_ = std::string(64, '0');
};

} // namespace assize
