// The reader on which the judge rests.
#include "conformance/runtime/base64.hpp"
#include "conformance/runtime/json.hpp"
#include "conformance/runtime/sha256.hpp"

#include <gtest/gtest.h>

namespace {

using assize::Json;
using assize::JsonError;

TEST(Json, KeepsNumberTokens) {
  const std::string text = R"([1,1.0,1e2,-0,1180591620717411303424])";
  EXPECT_EQ(Json::parse(text).text(), text);
  EXPECT_FALSE(Json::parse("1").same(Json::parse("1.0")));
}

TEST(Json, ComparesObjectsWithoutOrder) {
  const Json one = Json::parse(R"({"a":[true,null],"b":"\u0041"})");
  EXPECT_TRUE(one.same(Json::parse(R"({ "b": "A", "a": [true, null] })")));
  EXPECT_FALSE(one.same(Json::parse(R"({"a":[null,true],"b":"A"})")));
  EXPECT_FALSE(one.same(Json::parse(R"({"a":[true,null]})")));
}

TEST(Json, HasOneCanonicalText) {
  const Json json = Json::parse(R"({"b":[1e0,{}],"a":"\u000a\u0001\/"})");
  EXPECT_EQ(json.canonical(), R"({"a":"\n\u0001/","b":[1e0,{}]})");
}

TEST(Json, JoinsSurrogatesAndRefusesLoneOnes) {
  EXPECT_EQ(*Json::parse(R"("\ud83d\ude00")").string(), "\xF0\x9F\x98\x80");
  for (const char *text :
       {R"("\ud83d")", R"("\ude00")", R"("\ud83dx")", R"("\ud83d\n")",
        R"("\ud83d\u0041")", R"("\ude00\ud83d")", "\"\xED\xA0\xBD\""})
    EXPECT_THROW(Json::parse(text), JsonError) << text;
}

TEST(Json, RefusesWhatIsNoJson) {
  for (const char *text :
       {"", "01", "1.", "+1", "NaN", "[1,]", "{\"a\":1,}", "\"\x01\"",
        "\"\xC0\xAF\"", "\"\\x\"", "\"", "[1] 2", "\xEF\xBB\xBF[]"})
    EXPECT_THROW(Json::parse(text), JsonError) << text;
}

TEST(Json, RefusesRepeatedNames) {
  EXPECT_THROW(Json::parse(R"({"a":1,"\u0061":1})"), JsonError);
}

TEST(Json, RefusesWhatNestsTooDeep) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_NO_THROW(Json::parse(nested(128)));
  EXPECT_THROW(Json::parse(nested(129)), JsonError);
}

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(assize::sha256_hex(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(assize::sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Base64, RoundTrip) {
  for (const std::string bytes : {"", "f", "fo", "foo", "\xFF\xFE"})
    EXPECT_EQ(assize::base64_decode(assize::base64_encode(bytes)), bytes);
  EXPECT_EQ(assize::base64_encode("fo"), "Zm8=");
  EXPECT_FALSE(assize::base64_decode("Zm8"));
  EXPECT_FALSE(assize::base64_decode("Zm=8"));
}

} // namespace
