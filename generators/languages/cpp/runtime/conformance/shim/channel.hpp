// The protocol's own pair of streams.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assize {

// What was sent is not a frame. Nothing after it can be trusted.
class BadFrame : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// Takes standard input and standard output away from everyone else: what the
// implementation prints goes to standard error, and it reads nothing.
class Channel {
public:
  Channel();
  ~Channel();
  Channel(const Channel &) = delete;
  Channel &operator=(const Channel &) = delete;

  // The next line without its line feed; nothing at the end of the input.
  std::optional<std::string> read_line(std::size_t limit);

  // Writes one line, all of it.
  void write_line(std::string_view line);

private:
  int input_;
  int output_;
  std::string buffer_;
};

} // namespace assize
