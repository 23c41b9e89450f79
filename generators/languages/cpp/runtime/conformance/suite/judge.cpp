#include "conformance/suite/judge.hpp"

#include "conformance/runtime/base64.hpp"
#include "conformance/runtime/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace assize {
namespace {

// Whether a value is an array or an object that holds nothing.
bool holds_nothing(const Json &json) {
  return (json.array() != nullptr && json.array()->empty()) ||
         (json.object() != nullptr && json.object()->empty());
}

std::vector<std::string> split(std::string_view pointer) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    std::string name;
    for (std::size_t i = at + 1; i < end; ++i) {
      const bool escaped = pointer[i] == '~' && i + 1 < end;
      name += !escaped ? pointer[i] : pointer[++i] == '1' ? '/' : '~';
    }
    names.push_back(std::move(name));
    at = end;
  }
  return names;
}

const Json *step(const Json &json, const std::string &name) {
  const Json::Array *array = json.array();
  if (array == nullptr)
    return json.find(name);
  std::size_t index = 0;
  const char *last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data(), last, index);
  const bool canonical = name == "0" || !name.starts_with('0');
  if (error != std::errc{} || end != last || !canonical ||
      index >= array->size())
    return nullptr;
  return &(*array)[index];
}

std::string shown(const std::string &bytes) {
  return utf8::is_valid(bytes) ? json_string(bytes)
                               : "base64 " + base64_encode(bytes);
}

std::string shown(const std::set<std::string> &texts) {
  Json::Array array;
  for (const std::string &text : texts)
    array.emplace_back(text);
  return Json(std::move(array)).text();
}

// An answer as one JSON value, {is, codes, out}, documents read.
class ReadAnswer {
public:
  explicit ReadAnswer(const Reply &reply) : reply_(reply) {
    const bool accepts = reply.is == Reply::Is::accept;
    Json::Array codes;
    for (const std::string &code : reply.codes)
      codes.emplace_back(code);
    Json::Object out;
    for (const auto &[output_name, output] : reply.out)
      out.push_back({output_name, read(output_name, output)});
    whole_ = Json(Json::Object{
        {"is", Json(std::string(accepts ? "accept" : "reject"))},
        {"codes", Json(std::move(codes))},
        {"out", Json(std::move(out))},
    });
  }

  std::optional<FailedCheck> fails(const Check &check) const {
    auto failed = std::visit(
        [&](const auto &demand) { return fails(check.pointer, demand); },
        check.demand);
    if (failed) {
      failed->pointer = check.pointer;
      failed->force = check.force;
    }
    return failed;
  }

private:
  using Failure = std::optional<FailedCheck>;

  Json read(const std::string &output_name, const Output &output) {
    if (output.kind == Output::Kind::bytes)
      return Json(base64_encode(output.payload));
    try {
      return Json::parse(output.payload);
    } catch (const JsonError &error) {
      unreadable_.emplace(output_name, "no JSON: " + std::string(error.what()) +
                                           ": " + shown(output.payload));
      return {};
    }
  }

  // The value there; null if there is none.
  [[nodiscard]] const Json *at(const std::string &pointer) const {
    if (trouble(pointer) != nullptr)
      return nullptr;
    const Json *json = &whole_;
    for (const std::string &member : split(pointer)) {
      json = step(*json, member);
      if (json == nullptr)
        return nullptr;
    }
    return json;
  }

  // Why the output that the pointer leads into cannot be read.
  [[nodiscard]] const std::string *trouble(const std::string &pointer) const {
    const auto names = split(pointer);
    if (names.size() < 2 || names[0] != "out")
      return nullptr;
    const auto found = unreadable_.find(names[1]);
    return found != unreadable_.end() ? &found->second : nullptr;
  }

  [[nodiscard]] const Output *output(const std::string &pointer,
                                     Output::Kind kind) const {
    const auto names = split(pointer);
    if (names.size() != 2 || names[0] != "out")
      return nullptr;
    const auto found = reply_.out.find(names[1]);
    const bool fits = found != reply_.out.end() && found->second.kind == kind;
    return fits ? &found->second : nullptr;
  }

  [[nodiscard]] std::string actual(const std::string &pointer) const {
    if (const std::string *why = trouble(pointer))
      return *why;
    const Json *json = at(pointer);
    return json != nullptr ? json->text() : "nothing";
  }

  [[nodiscard]] Failure failure(const std::string &pointer,
                                std::string expected) const {
    return FailedCheck{pointer, std::move(expected), actual(pointer)};
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsValue &demand) const {
    const Json *json = at(pointer);
    if (json != nullptr && json->same(demand.value))
      return std::nullopt;
    return failure(pointer, demand.value.text());
  }

  [[nodiscard]] Failure fails(const std::string & /*pointer*/,
                              const IsCodes &demand) const {
    return differ(demand.codes, {reply_.codes.begin(), reply_.codes.end()});
  }

  [[nodiscard]] Failure fails(const std::string & /*pointer*/,
                              const IsRegistered &demand) const {
    std::set<std::string> registered(reply_.codes.begin(), reply_.codes.end());
    std::erase_if(registered, [](const std::string &code) {
      return code.starts_with("A_") || code == "ABORT" ||
             code.find('/') != std::string::npos;
    });
    return differ(demand.codes, registered);
  }

  static Failure differ(const std::vector<std::string> &codes,
                        const std::set<std::string> &actual) {
    const std::set<std::string> expected(codes.begin(), codes.end());
    if (expected == actual)
      return std::nullopt;
    return FailedCheck{"", shown(expected), shown(actual)};
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsBytes &demand) const {
    const Output *bytes = output(pointer, Output::Kind::bytes);
    if (bytes != nullptr && bytes->payload == demand.bytes)
      return std::nullopt;
    return FailedCheck{"", shown(demand.bytes),
                       bytes != nullptr ? shown(bytes->payload)
                                        : actual(pointer)};
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsText &demand) const {
    const Output *document = output(pointer, Output::Kind::document);
    if (document != nullptr && document->payload == demand.text)
      return std::nullopt;
    return FailedCheck{"", demand.text,
                       document != nullptr ? document->payload
                                           : actual(pointer)};
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsSpelled & /*demand*/) const {
    const Json *json = at(pointer);
    const Output *document = output(pointer, Output::Kind::document);
    if (json != nullptr && document != nullptr &&
        document->payload == json->canonical())
      return std::nullopt;
    return FailedCheck{"", "the canonical text of its own value",
                       document != nullptr ? document->payload
                                           : actual(pointer)};
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsObject & /*demand*/) const {
    const Json *json = at(pointer);
    if (json != nullptr && json->object() != nullptr)
      return std::nullopt;
    return failure(pointer, "an object");
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsWithin &demand) const {
    const std::set<std::string> allowed(demand.names.begin(),
                                        demand.names.end());
    const Json *json = at(pointer);
    // That an object has to stand there is another check's business, as it is
    // with arrays.
    if (json == nullptr || json->object() == nullptr)
      return std::nullopt;
    std::set<std::string> actual;
    for (const Json::Member &member : *json->object())
      actual.insert(member.name);
    if (std::ranges::includes(allowed, actual))
      return std::nullopt;
    return FailedCheck{"", "no names but " + shown(allowed),
                       "the names " + shown(actual)};
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsFilledWithin &demand) const {
    const std::set<std::string> allowed(demand.names.begin(),
                                        demand.names.end());
    const Json *json = at(pointer);
    if (json == nullptr || json->object() == nullptr)
      return std::nullopt;
    std::set<std::string> filled;
    for (const Json::Member &member : *json->object()) {
      if (!holds_nothing(member.value))
        filled.insert(member.name);
    }
    if (std::ranges::includes(allowed, filled))
      return std::nullopt;
    const std::string expected =
        "nothing but " + shown(allowed) + " that holds something";
    return FailedCheck{"", expected, "something in " + shown(filled)};
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsArray & /*demand*/) const {
    const Json *json = at(pointer);
    if (json != nullptr && json->array() != nullptr)
      return std::nullopt;
    return failure(pointer, "an array");
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const HasAtMost &demand) const {
    const Json *json = at(pointer);
    if (json == nullptr || json->array() == nullptr ||
        json->array()->size() <= demand.most)
      return std::nullopt;
    return failure(pointer,
                   "no more than " + std::to_string(demand.most) + " items");
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsEmpty & /*demand*/) const {
    const Json *json = at(pointer);
    if (json == nullptr || holds_nothing(*json))
      return std::nullopt;
    return failure(pointer, "nothing that holds something");
  }

  [[nodiscard]] Failure fails(const std::string &pointer,
                              const IsAbsent & /*demand*/) const {
    // An output that cannot be read is something; below it stands nothing.
    const bool unread =
        trouble(pointer) != nullptr && split(pointer).size() == 2;
    if (at(pointer) == nullptr && !unread)
      return std::nullopt;
    return failure(pointer, "nothing");
  }

  const Reply &reply_;
  Json whole_;
  std::map<std::string, std::string> unreadable_;
};

Judgement judge_alternative(const Alternative &checks,
                            const ReadAnswer &answer) {
  Judgement judgement{Outcome::pass, {}};
  for (const Check &check : checks) {
    auto failed = answer.fails(check);
    if (!failed)
      continue;
    // Behind the wrong verdict nothing else has a meaning.
    if (check.pointer == "/is")
      return {Outcome::wrong_verdict, {*std::move(failed)}};
    judgement.outcome = std::max(
        judgement.outcome, check.pointer == "/codes" ? Outcome::wrong_code
                                                     : Outcome::wrong_output);
    judgement.failed.push_back(*std::move(failed));
  }
  return judgement;
}

} // namespace

std::string_view name(Outcome outcome) {
  switch (outcome) {
  case Outcome::pass:
    return "PASS";
  case Outcome::wrong_output:
    return "WRONG-OUTPUT";
  case Outcome::wrong_code:
    return "WRONG-CODE";
  case Outcome::wrong_verdict:
    return "WRONG-VERDICT";
  case Outcome::broken_promise:
    return "BROKEN-PROMISE";
  case Outcome::fault:
    return "FAULT";
  }
  return "";
}

Weight weight(const Judgement &judgement) {
  Weight weight = Weight::none;
  for (const FailedCheck &failed : judgement.failed)
    weight = std::max(weight, failed.force.weight);
  return weight;
}

std::vector<std::string> rulings(const Judgement &judgement) {
  std::set<std::string> ids;
  for (const FailedCheck &failed : judgement.failed)
    if (failed.force.weight == Weight::ruling)
      ids.insert(failed.force.ruling);
  return {ids.begin(), ids.end()};
}

Weight counted(const char *said) {
  const std::string_view word = said != nullptr ? said : "";
  if (word.empty() || word == "spec")
    return Weight::specification;
  if (word == "ruling")
    return Weight::ruling;
  if (word == "remark")
    return Weight::convention;
  throw std::invalid_argument("ASSIZE_FAIL_ON is \"" + std::string(word) +
                              "\": write spec, ruling or remark");
}

Judgement judge(const std::vector<Alternative> &expect, const Reply &reply) {
  if (reply.is == Reply::Is::fault)
    return {Outcome::fault, {{"", "an answer", "a fault: " + reply.message}}};
  if (reply.is == Reply::Is::unsupported)
    return {Outcome::broken_promise,
            {{"", "an answer to what is declared", "unsupported"}}};
  const ReadAnswer answer(reply);
  std::vector<Judgement> judgements;
  for (const Alternative &alternative : expect)
    judgements.push_back(judge_alternative(alternative, answer));
  const auto lightest =
      std::ranges::min_element(judgements, {}, [](const Judgement &judgement) {
        return std::tuple(weight(judgement), judgement.outcome,
                          judgement.failed.size());
      });
  // A case without alternatives accepts nothing.
  return lightest != judgements.end()
             ? std::move(*lightest)
             : Judgement{Outcome::wrong_verdict, {{"", "no answer", "one"}}};
}

} // namespace assize
