// Each kind of check, passing and failing; alternatives; outcome classes.
#include "conformance/suite/judge.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assize;

const Check accepts{"/is", IsValue{Json::parse(R"("accept")")}};
const Check rejects{"/is", IsValue{Json::parse(R"("reject")")}};

// An answer with an output of each kind.
Reply accepted() {
  Reply reply = Reply::accept();
  reply.document("doc", {R"({"list": [10, 1.0], "empty": {}, "a/b": 1})"});
  reply.bytes("bytes", "\xFF");
  reply.value("value", JsonText{R"([{"k":null}])"});
  return reply;
}

Outcome outcome(const std::vector<Alternative> &expect, const Reply &reply) {
  return judge(expect, reply).outcome;
}

Outcome outcome(const Check &check) {
  return outcome({{accepts, check}}, accepted());
}

IsValue value(const char *text) { return {Json::parse(text)}; }

TEST(Judge, Values) {
  EXPECT_EQ(outcome({"/out/doc/list/0", value("10")}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc/list/1", value("1.0")}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc/list/1", value("1")}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/doc/list/01", value("1.0")}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/doc/a~1b", value("1")}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/value/0/k", value("null")}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/value/1", value("null")}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/absent", value("null")}), Outcome::wrong_output);
}

TEST(Judge, Bytes) {
  EXPECT_EQ(outcome({"/out/bytes", IsBytes{"\xFF"}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/bytes", IsBytes{"\xFE"}}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/doc", IsBytes{"\xFF"}}), Outcome::wrong_output);
}

TEST(Judge, Texts) {
  const std::string text = R"({"list": [10, 1.0], "empty": {}, "a/b": 1})";
  EXPECT_EQ(outcome({"/out/doc", IsText{text}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc", IsText{text + " "}}), Outcome::wrong_output);
}

TEST(Judge, Lengths) {
  EXPECT_EQ(outcome({"/out/doc/list", HasLength{2}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc/list", HasLength{1}}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/doc/empty", HasLength{0}}), Outcome::wrong_output);
}

TEST(Judge, Objects) {
  EXPECT_EQ(outcome({"/out/doc/empty", IsObject{}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc/list", IsObject{}}), Outcome::wrong_output);
}

TEST(Judge, Names) {
  EXPECT_EQ(outcome({"/out", HasNames{{"bytes", "doc", "value"}}}),
            Outcome::pass);
  EXPECT_EQ(outcome({"/out", HasNames{{"bytes", "doc"}}}),
            Outcome::wrong_output);
}

TEST(Judge, Codes) {
  const auto with = [](std::vector<std::string> codes) {
    return outcome({{rejects, {"/codes", IsCodes{{"A", "B"}}}}},
                   Reply::reject(std::move(codes)));
  };
  EXPECT_EQ(with({"B", "A", "B"}), Outcome::pass);
  EXPECT_EQ(with({"A"}), Outcome::wrong_code);
  EXPECT_EQ(with({"A", "B", "C"}), Outcome::wrong_code);
}

TEST(Judge, DocumentsThatCannotBeRead) {
  const auto read = [](const std::string &text) {
    Reply reply = Reply::accept();
    reply.document("doc", {text});
    return outcome({{accepts, {"/out/doc", HasLength{1}}}}, reply);
  };
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(read(R"([{"a":1,"b":1}])"), Outcome::pass);
  EXPECT_EQ(read(R"([{"a":1,"a":1}])"), Outcome::wrong_output);
  EXPECT_EQ(read(R"(["\ud83d\ude00"])"), Outcome::pass);
  EXPECT_EQ(read(R"(["\ud83d"])"), Outcome::wrong_output);
  EXPECT_EQ(read(nested(128)), Outcome::pass);
  EXPECT_EQ(read(nested(129)), Outcome::wrong_output);
  EXPECT_EQ(read("[1,]"), Outcome::wrong_output);
}

TEST(Judge, TheWrongVerdictHidesTheRest) {
  const Judgement judgement =
      judge({{rejects, {"/codes", IsCodes{{"A"}}}, {"/out", HasNames{}}}},
            accepted());
  EXPECT_EQ(judgement.outcome, Outcome::wrong_verdict);
  EXPECT_EQ(judgement.failed.size(), 1U);
}

TEST(Judge, AnyAlternativeWillDo) {
  const Alternative wrong = {rejects};
  const Alternative right = {accepts};
  EXPECT_EQ(outcome({wrong, right}, accepted()), Outcome::pass);
  EXPECT_EQ(outcome({}, accepted()), Outcome::wrong_verdict);
}

TEST(Judge, TheClosestAlternativeIsReported) {
  const Check two_wrong[] = {{"/out/value", HasLength{7}},
                             {"/out/bytes", IsBytes{""}}};
  const Judgement judgement = judge({{rejects},
                                     {accepts, two_wrong[0], two_wrong[1]},
                                     {accepts, two_wrong[1]},
                                     {accepts, two_wrong[0]}},
                                    accepted());
  EXPECT_EQ(judgement.outcome, Outcome::wrong_output);
  ASSERT_EQ(judgement.failed.size(), 1U);
  EXPECT_EQ(judgement.failed[0].pointer, "/out/bytes");
}

TEST(Judge, BrokenIsNoVerdict) {
  const std::vector<Alternative> expect = {{rejects}};
  EXPECT_EQ(outcome(expect, Reply::fault("boom")), Outcome::fault);
  EXPECT_EQ(outcome(expect, Reply::unsupported()), Outcome::broken_promise);
}

} // namespace
