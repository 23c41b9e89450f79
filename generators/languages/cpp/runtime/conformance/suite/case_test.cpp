#include "conformance/suite/case_test.hpp"

#include "conformance/suite/case.hpp"
#include "conformance/suite/case_folder.hpp"
#include "conformance/suite/judge.hpp"
#include "conformance/suite/report.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace assize {
namespace {

class CaseTest : public testing::Test {
public:
  CaseTest(Suite &suite, std::shared_ptr<const Case> asked)
      : suite_(suite), case_(std::move(asked)) {}

  void TestBody() override {
    suite_.sentinel.saw(case_->id);
    if (const auto feature =
            undeclared(suite_.declaration, case_->op, case_->args))
      GTEST_SKIP() << *feature << " is not declared";
    Request request{case_->op, case_->args, case_->documents, {}};
    std::optional<CaseFolder> folder;
    if (case_->root) {
      folder.emplace();
      if (const auto why = folder->lay_out(case_->files))
        GTEST_SKIP() << *why;
      request.root = folder->path();
    }
    const Judgement judgement =
        judge(case_->expect, suite_.testee.answer(request));
    const auto known = suite_.manifest.known.find(case_->id);
    if (known == suite_.manifest.known.end()) {
      settle(judgement);
    } else if (name(judgement.outcome) == known->second.outcome) {
      GTEST_SKIP() << "known failure, " << known->second.outcome << ": "
                   << known->second.reason << ' ' << known->second.link;
    } else {
      ADD_FAILURE_AT(case_->file.c_str(), case_->line)
          << "stale known failure: expected " << known->second.outcome
          << ", so remove or correct the entry\n"
          << report(*case_, judgement);
    }
  }

private:
  void settle(const Judgement &judgement) const {
    const Weight found = weight(judgement);
    if (found == Weight::none)
      return;
    if (found >= suite_.counted) {
      ADD_FAILURE_AT(case_->file.c_str(), case_->line)
          << report(*case_, judgement);
    } else if (found == Weight::ruling) {
      std::string ids;
      for (const std::string &id : rulings(judgement))
        ids += (ids.empty() ? "" : ", ") + id;
      GTEST_SKIP() << "against ruling " << ids << ": "
                   << brief(*case_, judgement);
    } else {
      // In the report of --gtest_output it is a property of the test.
      RecordProperty("remark", brief(*case_, judgement));
      std::cout << "remark: " << brief(*case_, judgement) << '\n';
    }
  }

  Suite &suite_;
  std::shared_ptr<const Case> case_;
};

// A law whose file cannot be read.
class BrokenLawTest : public testing::Test {
public:
  explicit BrokenLawTest(std::string why) : why_(std::move(why)) {}

  void TestBody() override { FAIL() << why_; }

private:
  std::string why_;
};

class SentinelTest : public testing::Test {
public:
  explicit SentinelTest(const Manifest &manifest) : manifest_(manifest) {}

  void TestBody() override {
    for (const std::string &problem : strayed(manifest_))
      ADD_FAILURE() << problem;
  }

private:
  const Manifest &manifest_;
};

void register_case(Suite &suite, const Law &law, Case found) {
  const auto shared = std::make_shared<const Case>(std::move(found));
  const std::string name = test_name(shared->id.substr(shared->law.size() + 1));
  testing::RegisterTest(test_name(law.slug).c_str(), name.c_str(), nullptr,
                        nullptr, shared->file.c_str(), shared->line,
                        [&suite, shared]() -> testing::Test * {
                          return new CaseTest(suite, shared);
                        });
}

void register_law(Suite &suite, const Law &law) {
  try {
    for (Case &found : load_cases(law.file))
      register_case(suite, law, std::move(found));
  } catch (const std::exception &error) {
    testing::RegisterTest(
        test_name(law.slug).c_str(), "vectors_load", nullptr, nullptr, __FILE__,
        __LINE__, [why = std::string(error.what())]() -> testing::Test * {
          return new BrokenLawTest(why);
        });
  }
}

} // namespace

void register_tests(Suite &suite, const std::string &filter) {
  testing::RegisterTest("Sentinel", "vectors_are_those_of_the_manifest",
                        nullptr, nullptr, __FILE__, __LINE__,
                        [&suite]() -> testing::Test * {
                          return new SentinelTest(suite.manifest);
                        });
  const std::string named = filter.substr(0, filter.find('.'));
  if (named == "Sentinel")
    return;
  for (const Law &law : suite.manifest.laws)
    if (test_name(law.slug) == named) {
      register_law(suite, law);
      return;
    }
  for (const Law &law : suite.manifest.laws)
    register_law(suite, law);
}

} // namespace assize
