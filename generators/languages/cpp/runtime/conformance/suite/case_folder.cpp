#include "conformance/suite/case_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace assize {
namespace {

namespace fs = std::filesystem;

// Paths of a case are UTF-8, whatever the locale is.
fs::path utf8_path(const std::string &text) {
  return std::u8string(text.begin(), text.end());
}

// Throws for a path that is not a relative one of plain names.
void stay_inside(const std::string &path) {
  using namespace std::string_view_literals;
  const std::string framed = "/" + path + "/";
  for (const std::string_view wrong : {"//"sv, "/./"sv, "/../"sv, "\0"sv})
    if (framed.find(wrong) != std::string::npos)
      throw std::runtime_error("not a relative path of plain names: " + path);
}

void write_file(const fs::path &path, const std::string &bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream << bytes;
  stream.close();
  if (!stream)
    throw std::runtime_error(path.string() + " cannot be written");
}

fs::path make_folder() {
  std::string path = (fs::temp_directory_path() / "assize-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), path);
  return path;
}

} // namespace

CaseFolder::CaseFolder() : path_(make_folder()) {}

CaseFolder::~CaseFolder() {
  // What cannot be removed must not hide what the case has shown.
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::optional<std::string>
CaseFolder::lay_out(const std::vector<CaseFile> &files) {
  for (const CaseFile &file : files)
    stay_inside(file.path);
  for (const CaseFile &file : files) {
    fs::path path = path_;
    for (const fs::path &name : utf8_path(file.path)) {
      path /= name;
      if (fs::is_symlink(path))
        throw std::runtime_error("through a link of the same case: " +
                                 file.path);
    }
    fs::create_directories(path.parent_path());
    switch (file.kind) {
    case CaseFile::Kind::file:
      write_file(path, file.content);
      break;
    case CaseFile::Kind::directory:
      fs::create_directories(path);
      break;
    case CaseFile::Kind::symlink:
      fs::create_symlink(utf8_path(file.content), path);
      break;
    case CaseFile::Kind::unreadable:
      write_file(path, file.content);
      fs::permissions(path, fs::perms::none);
      if (std::ifstream(path).is_open())
        return file.path + " can be read without permission to (as root?)";
      break;
    }
  }
  return std::nullopt;
}

} // namespace assize
