#include "conformance/suite/case.hpp"

#include "conformance/runtime/base64.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace assize {
namespace {

// Room for the arguments of a case, which may nest.
constexpr std::size_t line_depth = 512;

const Json &member(const Json &json, std::string_view name) {
  const Json *found = json.find(name);
  if (found == nullptr)
    throw std::runtime_error("no member " + std::string(name));
  return *found;
}

const std::string &text(const Json &json) {
  if (json.string() == nullptr)
    throw std::runtime_error("no string: " + json.text());
  return *json.string();
}

const Json::Array &array(const Json &json) {
  if (json.array() == nullptr)
    throw std::runtime_error("no array: " + json.text());
  return *json.array();
}

const Json::Object &object(const Json &json) {
  if (json.object() == nullptr)
    throw std::runtime_error("no object: " + json.text());
  return *json.object();
}

std::vector<std::string> texts(const Json &json) {
  std::vector<std::string> out;
  std::ranges::transform(array(json), std::back_inserter(out), text);
  return out;
}

std::string bytes(const Json &json) {
  auto decoded = base64_decode(text(json));
  if (!decoded)
    throw std::runtime_error("no base64: " + json.text());
  return *std::move(decoded);
}

std::size_t count(const Json &json) {
  const auto number = json.integer();
  if (!number || *number < 0)
    throw std::runtime_error("no count: " + json.text());
  return static_cast<std::size_t>(*number);
}

decltype(Check::demand) read_demand(const Json &json) {
  if (const Json *demand = json.find("canonical"))
    return IsValue{Json::parse(text(*demand))};
  if (const Json *demand = json.find("codes"))
    return IsCodes{texts(*demand)};
  if (const Json *demand = json.find("registered"))
    return IsRegistered{texts(*demand)};
  if (const Json *demand = json.find("base64"))
    return IsBytes{bytes(*demand)};
  if (const Json *demand = json.find("text"))
    return IsText{text(*demand)};
  if (const Json *demand = json.find("within"))
    return IsWithin{texts(*demand)};
  if (const Json *demand = json.find("filled"))
    return IsFilledWithin{texts(*demand)};
  if (const Json *demand = json.find("most"))
    return HasAtMost{count(*demand)};
  if (json.find("spelled") != nullptr)
    return IsSpelled{};
  if (json.find("object") != nullptr)
    return IsObject{};
  if (json.find("array") != nullptr)
    return IsArray{};
  if (json.find("absent") != nullptr)
    return IsAbsent{};
  if (json.find("empty") != nullptr)
    return IsEmpty{};
  throw std::runtime_error("an unknown check: " + json.text());
}

Check read_check(const Json &json) {
  if (object(json).size() != 3)
    throw std::runtime_error("a check with other than one demand");
  return {text(member(json, "pointer")), read_demand(json),
          read_force(text(member(json, "force")))};
}

CaseFile read_case_file(const Json &json) {
  using Kind = CaseFile::Kind;
  const std::string &kind = text(member(json, "kind"));
  std::string path = text(member(json, "path"));
  if (kind == "file")
    return {std::move(path), Kind::file, bytes(member(json, "base64"))};
  if (kind == "directory")
    return {std::move(path), Kind::directory, ""};
  if (kind == "symlink")
    return {std::move(path), Kind::symlink, text(member(json, "to"))};
  if (kind == "unreadable")
    return {std::move(path), Kind::unreadable, bytes(member(json, "base64"))};
  throw std::runtime_error("an unknown kind of file: " + kind);
}

Case read_case(std::string_view line) {
  const Json json = Json::parse(line, line_depth);
  Case out;
  out.id = text(member(json, "id"));
  out.law = text(member(json, "law"));
  if (!out.id.starts_with(out.law + "/"))
    throw std::runtime_error("the id of a case begins with its law: " + out.id);
  out.op = text(member(json, "op"));
  out.args = member(json, "args");
  for (const Json::Member &input : object(member(json, "in")))
    out.documents.emplace(input.name, bytes(input.value));
  out.root = member(json, "root").boolean().value_or(false);
  for (const Json &file : array(member(json, "files")))
    out.files.push_back(read_case_file(file));
  out.rationale = text(member(json, "rationale"));
  out.spec = text(member(json, "spec"));
  for (const Json &alternative : array(member(json, "expect")))
    std::ranges::transform(array(alternative),
                           std::back_inserter(out.expect.emplace_back()),
                           read_check);
  return out;
}

} // namespace

std::string spelled(const Force &force) {
  switch (force.weight) {
  case Weight::none:
    break;
  case Weight::convention:
    return "interface";
  case Weight::ruling:
    return "ruling " + force.ruling;
  case Weight::specification:
    return "spec";
  }
  return "";
}

Force read_force(std::string_view text) {
  constexpr std::string_view ruling = "ruling ";
  if (text == "spec")
    return {Weight::specification, ""};
  if (text == "interface")
    return {Weight::convention, ""};
  if (text.starts_with(ruling) && text.size() > ruling.size())
    return {Weight::ruling, std::string(text.substr(ruling.size()))};
  throw std::runtime_error("an unknown force: " + std::string(text));
}

std::string test_name(std::string_view slug_or_id) {
  std::string name(slug_or_id);
  std::ranges::replace(name, '/', '_');
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string full_test_name(const Case &asked) {
  return test_name(asked.law) + "." +
         test_name(asked.id.substr(asked.law.size() + 1));
}

std::string read_file(const std::filesystem::path &file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  // An empty file has nothing to insert, which is not an error.
  if (stream.peek() != std::ifstream::traits_type::eof())
    bytes << stream.rdbuf();
  if (stream.bad() || !stream.is_open())
    throw std::runtime_error(file.string() + " cannot be read");
  return std::move(bytes).str();
}

std::vector<Case> load_cases(const std::filesystem::path &file) {
  const std::string bytes = read_file(file);
  std::vector<Case> cases;
  std::string_view rest = bytes;
  for (int line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    try {
      cases.push_back(read_case(rest.substr(0, end)));
    } catch (const std::exception &error) {
      throw std::runtime_error(file.string() + ":" + std::to_string(line) +
                               ": " + error.what());
    }
    cases.back().file = file.string();
    cases.back().line = line;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return cases;
}

} // namespace assize
