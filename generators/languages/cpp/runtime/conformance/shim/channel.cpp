#include "conformance/shim/channel.hpp"

#include "conformance/runtime/json.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace assize {
namespace {

constexpr std::size_t chunk_size = 1 << 16;

int checked(int result, const char *what) {
  if (result < 0)
    throw std::system_error(errno, std::generic_category(), what);
  return result;
}

} // namespace

Channel::Channel()
    : input_(checked(::dup(STDIN_FILENO), "dup of standard input")),
      output_(checked(::dup(STDOUT_FILENO), "dup of standard output")) {
  std::fflush(stdout);
  checked(::dup2(STDERR_FILENO, STDOUT_FILENO), "dup2 to standard output");
  const int nothing = checked(::open("/dev/null", O_RDONLY), "/dev/null");
  checked(::dup2(nothing, STDIN_FILENO), "dup2 to standard input");
  ::close(nothing);
}

Channel::~Channel() {
  ::close(input_);
  ::close(output_);
}

std::optional<std::string> Channel::read_line(std::size_t limit) {
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos && end <= limit) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    searched = buffer_.size();
    if (end != std::string::npos || searched > limit)
      throw BadFrame("a line of more than " + std::to_string(limit) + " bytes");
    std::array<char, chunk_size> chunk{};
    const ssize_t got = ::read(input_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR)
      continue;
    checked(static_cast<int>(got), "read");
    if (got == 0) {
      if (!buffer_.empty())
        throw BadFrame("a line without its line feed: " +
                       json_string(buffer_.substr(0, 80)));
      return std::nullopt;
    }
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

void Channel::write_line(std::string_view line) {
  std::string frame(line);
  frame += '\n';
  for (std::size_t at = 0; at < frame.size();) {
    const ssize_t put = ::write(output_, frame.data() + at, frame.size() - at);
    if (put < 0 && errno == EINTR)
      continue;
    at += static_cast<std::size_t>(checked(static_cast<int>(put), "write"));
  }
}

} // namespace assize
