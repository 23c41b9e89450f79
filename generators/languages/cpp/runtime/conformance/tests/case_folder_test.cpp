// Every kind of file that a case can ask for, and that none is left behind.
#include "conformance/suite/case_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using assize::CaseFile;
using assize::CaseFolder;
using assize::read_file;

TEST(CaseFolder, LaysOutAndRemoves) {
  fs::path path;
  {
    CaseFolder folder;
    path = folder.path();
    const auto why = folder.lay_out({
        {"a/\xF0\x9F\x98\x80.json", CaseFile::Kind::file,
         std::string("\0\xFF", 2)},
        {"empty", CaseFile::Kind::file, ""},
        {"d", CaseFile::Kind::directory, ""},
        {"link", CaseFile::Kind::symlink, "a/\xF0\x9F\x98\x80.json"},
    });
    EXPECT_FALSE(why.has_value());
    EXPECT_EQ(read_file(path / "link"), std::string("\0\xFF", 2));
    EXPECT_EQ(read_file(path / "empty"), "");
    EXPECT_TRUE(fs::is_directory(path / "d"));
    EXPECT_TRUE(fs::is_symlink(path / "link"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(CaseFolder, SaysWhetherPermissionsHold) {
  fs::path path;
  {
    CaseFolder folder;
    path = folder.path();
    const auto why =
        folder.lay_out({{"secret", CaseFile::Kind::unreadable, "x"}});
    EXPECT_EQ(why.has_value(), std::ifstream(path / "secret").is_open());
  }
  EXPECT_FALSE(fs::exists(path));
}

} // namespace
