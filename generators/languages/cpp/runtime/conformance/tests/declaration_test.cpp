// What is asked under a declaration, and which declarations are none.
#include "conformance/runtime/declaration.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assize;

const Declaration known = {
    {"canon.bytes", {{"profile", {"episode", "sovereign"}}}},
    {"sovereign.order", {}},
};

TEST(Declaration, NamesWhatIsNotDeclared) {
  const Declaration declared = {{"canon.bytes", {{"profile", {"episode"}}}}};
  const auto feature = [&declared](const char *op, const char *args) {
    return undeclared(declared, op, Json::parse(args)).value_or("");
  };
  EXPECT_EQ(feature("canon.bytes", R"({"profile":"episode"})"), "");
  EXPECT_EQ(feature("canon.bytes", R"({"profile":"sovereign"})"),
            "canon.bytes/sovereign");
  EXPECT_EQ(feature("canon.bytes", "{}"), "canon.bytes/profile");
  EXPECT_EQ(feature("sovereign.order", "{}"), "sovereign.order");
}

TEST(Declaration, MustDeclareSomethingThatIsAsked) {
  EXPECT_FALSE(problem(known, known));
  EXPECT_TRUE(problem({}, known));
  EXPECT_TRUE(problem({{"canon.byte", {}}}, known));
  EXPECT_TRUE(problem({{"canon.bytes", {}}}, known));
  EXPECT_TRUE(problem({{"canon.bytes", {{"profile", {}}}}}, known));
  EXPECT_TRUE(problem({{"canon.bytes", {{"profile", {"rfc"}}}}}, known));
  EXPECT_TRUE(problem({{"sovereign.order", {{"mode", {"law"}}}}}, known));
}

TEST(Declaration, TravelsAsJson) {
  EXPECT_EQ(to_json(known),
            R"({"canon.bytes":{"profile":["episode","sovereign"]},)"
            R"("sovereign.order":{}})");
}

} // namespace
