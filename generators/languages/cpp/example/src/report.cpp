#include "report.hpp"

#include "canon.hpp"
#include "conformance/runtime/sha256.hpp"
#include "conformance/runtime/utf8.hpp"
#include "json.hpp"
#include "number.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace kernel {
namespace {

using Stages = std::vector<std::string>;

Refusal bad_input(const std::string &why) { return {"A_INPUT", why}; }

const std::string &text(const Value *value, const char *what) {
  const auto *string = value != nullptr ? value->as<std::string>() : nullptr;
  if (string == nullptr || !assize::utf8::is_valid(*string))
    throw bad_input(std::string(what) + " is a string");
  return *string;
}

Stages read_stages(const std::optional<std::string> &stage_order) {
  if (!stage_order)
    return {"base_shape", "dto_links",   "relationship_vocabulary",
            "policy",     "determinism", "ci",
            "lsi",        "promotion",   "capability",
            "replay"};
  const Value document = read_json(*stage_order, {});
  const Value *order = document.find("stage_order");
  const auto *names = order != nullptr ? order->as<Value::Array>() : nullptr;
  if (names == nullptr)
    throw bad_input("stage_order is an array");
  Stages stages;
  for (const Value &name : *names) {
    const std::string &stage = text(&name, "a stage");
    if (std::ranges::find(stages, stage) != stages.end())
      throw bad_input("a stage is listed once");
    stages.push_back(stage);
  }
  return stages;
}

// What decides the order, and the text that is put in order.
struct Mismatch {
  std::string turn_id;
  std::size_t stage;
  std::string ordinal;
  std::string surface;
  std::string path;
  // Nothing is null, and less than any digest.
  std::optional<std::string> expected;
  std::optional<std::string> actual;
  std::string canonical;

  bool operator<(const Mismatch &other) const {
    if (std::tie(turn_id, stage) != std::tie(other.turn_id, other.stage))
      return std::tie(turn_id, stage) < std::tie(other.turn_id, other.stage);
    if (const int order = compare_integers(ordinal, other.ordinal); order != 0)
      return order < 0;
    return std::tie(surface, path, expected, actual) <
           std::tie(other.surface, other.path, other.expected, other.actual);
  }
};

std::string read_ordinal(const Value *value) {
  const auto *number = value != nullptr ? value->as<Number>() : nullptr;
  if (number == nullptr || !number->is_integer() || number->token == "-0")
    throw bad_input("ordinal is an integer");
  return number->token;
}

std::optional<std::string> read_digest(const Value *value, const char *what) {
  if (value == nullptr || value->as<std::nullptr_t>() != nullptr)
    return std::nullopt;
  return text(value, what);
}

Mismatch read_mismatch(const Value &value, const Stages &stages) {
  const std::string &stage_name = text(value.find("stage_name"), "stage_name");
  const auto stage = std::ranges::find(stages, stage_name);
  if (stage == stages.end())
    throw bad_input("stage_name is a stage of the stage order");
  try {
    return {
        .turn_id = text(value.find("turn_id"), "turn_id"),
        .stage = static_cast<std::size_t>(stage - stages.begin()),
        .ordinal = read_ordinal(value.find("ordinal")),
        .surface = text(value.find("surface"), "surface"),
        .path = text(value.find("path"), "path"),
        .expected =
            read_digest(value.find("expected_digest"), "expected_digest"),
        .actual = read_digest(value.find("actual_digest"), "actual_digest"),
        .canonical = canonicalize(value, sovereign_profile),
    };
  } catch (const Uncanonical &error) {
    throw bad_input(error.what());
  }
}

// Nulled and not left out: an absent member counts as null.
void set_null(Value::Object &object, std::string_view name) {
  std::erase_if(object,
                [name](const Member &member) { return member.name == name; });
  object.push_back({std::string(name), {}});
}

void null_diagnostics(Value &mismatches) {
  auto *array = mismatches.as<Value::Array>();
  if (array == nullptr)
    throw bad_input("mismatches is an array");
  for (Value &mismatch : *array) {
    auto *object = mismatch.as<Value::Object>();
    if (object == nullptr)
      throw bad_input("a mismatch is an object");
    set_null(*object, "diagnostic");
  }
}

} // namespace

std::string order_mismatches(std::string_view mismatches,
                             const std::optional<std::string> &stage_order) {
  const Stages stages = read_stages(stage_order);
  const Value document = read_json(mismatches, {});
  const auto *array = document.as<Value::Array>();
  if (array == nullptr)
    throw bad_input("mismatches are an array");
  std::vector<Mismatch> rows;
  rows.reserve(array->size());
  for (const Value &value : *array)
    rows.push_back(read_mismatch(value, stages));
  std::ranges::stable_sort(rows, std::less<>{});
  std::string out = "[";
  for (const Mismatch &row : rows) {
    if (&row != &rows.front())
      out += ',';
    out += row.canonical;
  }
  return out + "]";
}

std::string report_id(std::string_view report) {
  Value document = read_json(report, sovereign_profile.dialect);
  auto *object = document.as<Value::Object>();
  if (object == nullptr)
    throw bad_input("a report is an object");
  set_null(*object, "report_id");
  for (Member &member : *object)
    if (member.name == "mismatches")
      null_diagnostics(member.value);
  return assize::sha256_hex(canonicalize(document, sovereign_profile));
}

} // namespace kernel
