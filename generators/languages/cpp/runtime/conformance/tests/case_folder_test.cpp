// Every kind of file that a case can ask for, that none is left behind, and
// that none is written elsewhere.
#include "conformance/suite/case_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

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

TEST(CaseFolder, NoPathLeavesIt) {
  const CaseFolder outside;
  const std::string absolute = (outside.path() / "x").string();
  for (const std::string &path :
       {std::string(), std::string("/"), absolute, std::string("."),
        std::string(".."), std::string("../x"), std::string("a/../../x"),
        std::string("./x"), std::string("a/./x"), std::string("a//x"),
        std::string("a/"), std::string("a\0b", 3)}) {
    CaseFolder folder;
    EXPECT_THROW(folder.lay_out({{"first", CaseFile::Kind::file, ""},
                                 {path, CaseFile::Kind::file, ""}}),
                 std::runtime_error)
        << path;
    EXPECT_TRUE(fs::is_empty(folder.path())) << path;
  }
  EXPECT_TRUE(fs::is_empty(outside.path()));
}

TEST(CaseFolder, NothingIsWrittenThroughALink) {
  const CaseFolder outside;
  const std::string there = outside.path().string();
  const CaseFile folder_link{"d", CaseFile::Kind::symlink, there};
  const CaseFile file_link{"f", CaseFile::Kind::symlink, there + "/x"};
  EXPECT_FALSE(CaseFolder().lay_out({folder_link, file_link}).has_value());
  for (const CaseFile &file : {
           CaseFile{"d/x", CaseFile::Kind::file, ""},
           CaseFile{"d/x/y", CaseFile::Kind::directory, ""},
           CaseFile{"d/x", CaseFile::Kind::symlink, "y"},
           CaseFile{"f", CaseFile::Kind::file, ""},
           CaseFile{"f", CaseFile::Kind::unreadable, ""},
       })
    EXPECT_THROW(CaseFolder().lay_out({folder_link, file_link, file}),
                 std::runtime_error)
        << file.path;
  EXPECT_TRUE(fs::is_empty(outside.path()));
}

} // namespace
