#include "conformance/suite/manifest.hpp"

#include "conformance/runtime/json.hpp"
#include "conformance/suite/case.hpp"

#include <stdexcept>
#include <string_view>

namespace assize {
namespace {

constexpr std::string_view form = "assize-pack/v2";

std::runtime_error broken(std::string_view name) {
  return std::runtime_error("vectors/manifest.json: the member " +
                            std::string(name) +
                            " is absent or of a wrong type");
}

const std::string &text(const Json &json, std::string_view name) {
  const Json *member = json.find(name);
  if (member == nullptr || member->string() == nullptr)
    throw broken(name);
  return *member->string();
}

std::size_t count(const Json &json, std::string_view name) {
  const Json *member = json.find(name);
  const auto number = member != nullptr ? member->integer() : std::nullopt;
  if (!number || *number < 0)
    throw broken(name);
  return static_cast<std::size_t>(*number);
}

const Json::Array &array(const Json &json, std::string_view name) {
  const Json *member = json.find(name);
  if (member == nullptr || member->array() == nullptr)
    throw broken(name);
  return *member->array();
}

} // namespace

Manifest load_manifest(const std::filesystem::path &project) {
  const Json json =
      Json::parse(read_file(project / "vectors" / "manifest.json"));
  if (text(json, "form") != form)
    throw broken("form");
  Manifest manifest{count(json, "total"), {}, {}};
  for (const Json &law : array(json, "laws"))
    manifest.laws.push_back({.slug = text(law, "slug"),
                             .title = text(law, "title"),
                             .statement = text(law, "statement"),
                             .count = count(law, "count"),
                             .file = project / text(law, "file"),
                             .sha256 = text(law, "sha256")});
  for (const Json &known : array(json, "known"))
    manifest.known.emplace(text(known, "id"),
                           KnownFailure{text(known, "outcome"),
                                        text(known, "reason"),
                                        text(known, "link")});
  return manifest;
}

} // namespace assize
