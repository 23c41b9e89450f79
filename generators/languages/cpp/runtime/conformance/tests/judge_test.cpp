// Each kind of check, passing and failing; alternatives; outcome classes;
// weights.
#include "conformance/suite/judge.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

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

TEST(Judge, Spellings) {
  const auto spelled = [](const std::string &text) {
    Reply reply = Reply::accept();
    reply.document("doc", {text});
    return outcome({{accepts, {"/out/doc", IsSpelled{}}}}, reply);
  };
  EXPECT_EQ(spelled(R"({"a":[1.0,"\n\u001f)"
                    "\x7f\xC3\xA9/\"],\"\xEF\xBD\xA1\":-0,"
                    "\"\xF0\x9F\x98\x80\":{}}"),
            Outcome::pass);
  for (const char *other :
       {R"({"a": 1})", R"({"b":1,"a":1})", R"(["\u0041"])", R"(["\u000a"])",
        "{\"\xF0\x9F\x98\x80\":1,\"\xEF\xBD\xA1\":1}", "["})
    EXPECT_EQ(spelled(other), Outcome::wrong_output) << other;
  EXPECT_EQ(outcome({"/out/value", IsSpelled{}}), Outcome::wrong_output);
}

TEST(Judge, ObjectsAndArrays) {
  EXPECT_EQ(outcome({"/out/doc/empty", IsObject{}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc/list", IsObject{}}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/doc/list", IsArray{}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc/empty", IsArray{}}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/none", IsArray{}}), Outcome::wrong_output);
}

TEST(Judge, NoMoreThanThese) {
  EXPECT_EQ(outcome({"/out", IsWithin{{"bytes", "doc", "more", "value"}}}),
            Outcome::pass);
  EXPECT_EQ(outcome({"/out", IsWithin{{"bytes", "doc"}}}),
            Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/value/0", IsWithin{}}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/doc", IsFilledWithin{{"a/b", "list"}}}),
            Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc", IsFilledWithin{{"list", "empty"}}}),
            Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/doc", IsFilledWithin{{"a/b"}}}),
            Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/doc/list", HasAtMost{2}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc/list", HasAtMost{1}}), Outcome::wrong_output);
  // That something has to stand there is another check's business.
  for (const char *pointer : {"/out/none", "/out/bytes", "/out/doc/a~1b"}) {
    EXPECT_EQ(outcome({pointer, IsWithin{}}), Outcome::pass);
    EXPECT_EQ(outcome({pointer, IsFilledWithin{}}), Outcome::pass);
    EXPECT_EQ(outcome({pointer, HasAtMost{0}}), Outcome::pass);
  }
}

TEST(Judge, NothingThatHoldsSomething) {
  for (const char *pointer : {"/out/doc/empty", "/out/doc/other", "/out/none"})
    EXPECT_EQ(outcome({pointer, IsEmpty{}}), Outcome::pass);
  for (const char *pointer : {"/out/doc/list", "/out/doc/a~1b", "/out/value"})
    EXPECT_EQ(outcome({pointer, IsEmpty{}}), Outcome::wrong_output);
}

TEST(Judge, Nothing) {
  EXPECT_EQ(outcome({"/out/doc/list/2", IsAbsent{}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/none", IsAbsent{}}), Outcome::pass);
  EXPECT_EQ(outcome({"/out/doc/list/1", IsAbsent{}}), Outcome::wrong_output);
  EXPECT_EQ(outcome({"/out/bytes", IsAbsent{}}), Outcome::wrong_output);
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

TEST(Judge, OfRegisteredCodesOthersSayNothing) {
  const auto with = [](std::vector<std::string> codes) {
    return outcome({{rejects, {"/codes", IsRegistered{{"E"}}}}},
                   Reply::reject(std::move(codes)));
  };
  EXPECT_EQ(with({"A_J", "E", "a/b", "ABORT"}), Outcome::pass);
  EXPECT_EQ(with({"E", "F"}), Outcome::wrong_code);
  EXPECT_EQ(with({"A_J"}), Outcome::wrong_code);
}

TEST(Judge, DocumentsThatCannotBeRead) {
  const auto read = [](const std::string &text) {
    Reply reply = Reply::accept();
    reply.document("doc", {text});
    return outcome({{accepts, {"/out/doc", IsArray{}}}}, reply);
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
      judge({{rejects, {"/codes", IsCodes{{"A"}}}, {"/out", IsWithin{}}}},
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
  const Check two_wrong[] = {{"/out/value", IsObject{}},
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
  EXPECT_EQ(weight(judge(expect, Reply::fault("boom"))), Weight::specification);
  EXPECT_EQ(weight(judge(expect, Reply::unsupported())), Weight::specification);
}

// Checks that fail, one a force.
Alternative wrong(const std::vector<const char *> &forces) {
  Alternative checks;
  for (const char *force : forces)
    checks.push_back({"/out/none", IsObject{}, read_force(force)});
  return checks;
}

TEST(Judge, AnAnswerWeighsAsItsStrongestFailingCheck) {
  using Ids = std::vector<std::string>;
  Judgement found = judge({wrong({"interface"})}, accepted());
  EXPECT_EQ(weight(found), Weight::convention);
  EXPECT_EQ(rulings(found), Ids{});
  found = judge({wrong({"ruling B", "interface", "ruling A", "ruling B"})},
                accepted());
  EXPECT_EQ(weight(found), Weight::ruling);
  EXPECT_EQ(rulings(found), (Ids{"A", "B"}));
  found = judge({wrong({"ruling A", "spec", "interface"})}, accepted());
  EXPECT_EQ(weight(found), Weight::specification);
  EXPECT_EQ(weight(judge({{accepts}}, accepted())), Weight::none);
}

TEST(Judge, AWrongVerdictWeighsAlone) {
  Alternative checks = wrong({"spec"});
  checks.insert(checks.begin(),
                Check{"/is", rejects.demand, read_force("interface")});
  EXPECT_EQ(weight(judge({checks}, accepted())), Weight::convention);
}

TEST(Judge, OfSeveralAlternativesTheLightestCounts) {
  const Check verdict{"/is", rejects.demand, read_force("ruling A")};
  const Judgement found = judge(
      {wrong({"spec"}), wrong({"interface", "spec"}), {verdict}}, accepted());
  EXPECT_EQ(found.outcome, Outcome::wrong_verdict);
  EXPECT_EQ(weight(found), Weight::ruling);
}

TEST(Judge, WhatFailsATestIsSaidInAWord) {
  EXPECT_EQ(counted(nullptr), Weight::specification);
  EXPECT_EQ(counted(""), Weight::specification);
  EXPECT_EQ(counted("spec"), Weight::specification);
  EXPECT_EQ(counted("ruling"), Weight::ruling);
  EXPECT_EQ(counted("remark"), Weight::convention);
  try {
    counted("rulings");
    FAIL() << "an unknown word passes";
  } catch (const std::invalid_argument &error) {
    EXPECT_STREQ(error.what(),
                 "ASSIZE_FAIL_ON is \"rulings\": write spec, ruling or remark");
  }
}

TEST(Judge, AnUnknownForceDoesNotLoad) {
  for (const char *force :
       {"", "ruling", "ruling ", "spec EP-1", "Spec", "remark"})
    EXPECT_THROW(read_force(force), std::runtime_error) << force;
  for (const char *force : {"spec", "interface", "ruling EP-1"})
    EXPECT_EQ(spelled(read_force(force)), force);
}

} // namespace
