#include "ledger.hpp"

#include "canon.hpp"
#include "conformance/runtime/sha256.hpp"
#include "json.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace kernel {
namespace {

constexpr std::array<std::string_view, 7> record_members = {
    "v", "ts", "kind", "parent", "payload", "payload_hash", "record_hash"};

// What record_hash covers: never the payload itself.
constexpr std::array<std::string_view, 5> hashed_members = {
    "v", "ts", "kind", "parent", "payload_hash"};

std::string hash(const Value &value) {
  try {
    return assize::sha256_hex(canonicalize(value, authority_profile));
  } catch (const Uncanonical &error) {
    throw Refusal("authority/canonical-form", error.what());
  }
}

void check_shape(const Value &record) {
  const auto *members = record.as<Value::Object>();
  if (members == nullptr)
    throw Refusal("authority/record-shape", "a record is an object");
  for (const std::string_view name : record_members)
    if (record.find(name) == nullptr)
      throw Refusal("authority/record-shape",
                    std::string(name) + " is missing");
  for (const Member &member : *members)
    if (std::ranges::find(record_members, std::string_view(member.name)) ==
        record_members.end())
      throw Refusal("authority/record-shape", "an unknown member");
}

bool is_text(const Value &value, const std::string &text) {
  const auto *string = value.as<std::string>();
  return string != nullptr && *string == text;
}

// Null, and nothing else, stands where there is no record before.
bool is_parent(const Value &value, const std::optional<std::string> &last) {
  return last ? is_text(value, *last) : value.as<std::nullptr_t>() != nullptr;
}

Value metadata(const Value &record) {
  Value::Object members;
  for (const std::string_view name : hashed_members)
    members.push_back({std::string(name), *record.find(name)});
  return {members};
}

// The hash that the next record names as its parent.
std::string check_record(const Value &record,
                         const std::optional<std::string> &last) {
  check_shape(record);
  if (!is_text(*record.find("payload_hash"), hash(*record.find("payload"))))
    throw Refusal("authority/ledger-integrity",
                  "payload_hash is not the hash of the payload");
  if (!is_parent(*record.find("parent"), last))
    throw Refusal("authority/parent-linkage",
                  "parent is not the hash of the record before");
  std::string record_hash = hash(metadata(record));
  if (!is_text(*record.find("record_hash"), record_hash))
    throw Refusal("authority/ledger-integrity",
                  "record_hash is not the hash of the record");
  return record_hash;
}

} // namespace

void check_chain(std::string_view records) {
  const Value document = read_json(records, authority_profile.dialect);
  const auto *array = document.as<Value::Array>();
  if (array == nullptr)
    throw Refusal("A_INPUT", "a ledger is an array of records");
  std::optional<std::string> last;
  for (const Value &record : *array)
    last = check_record(record, last);
}

} // namespace kernel
