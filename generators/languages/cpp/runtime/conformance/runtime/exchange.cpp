#include "conformance/runtime/exchange.hpp"

#include <exception>
#include <stdexcept>

namespace assize {
namespace {

std::invalid_argument unusable(std::string_view name) {
  return std::invalid_argument(std::string(name) +
                               " is absent or of a wrong type");
}

const std::string &text(std::string_view name, const Json *json) {
  if (json == nullptr || json->string() == nullptr)
    throw unusable(name);
  return *json->string();
}

} // namespace

void Request::read_argument(std::string_view name, std::string &out) const {
  out = text(name, args.find(name));
}

void Request::read_argument(std::string_view name,
                            std::vector<std::string> &out) const {
  const Json *json = args.find(name);
  if (json == nullptr || json->array() == nullptr)
    throw unusable(name);
  for (const Json &element : *json->array())
    out.push_back(text(name, &element));
}

void Request::read_argument(std::string_view name, JsonText &out) const {
  const Json *json = args.find(name);
  if (json == nullptr)
    throw unusable(name);
  out.text = json->text();
}

void Request::read_document(const std::string &name, std::string &out) const {
  const auto found = documents.find(name);
  if (found == documents.end())
    throw unusable(name);
  out = found->second;
}

void Request::read_document(const std::string &name,
                            std::optional<std::string> &out) const {
  if (documents.contains(name))
    read_document(name, out.emplace());
}

Reply Reply::reject(std::vector<std::string> codes) {
  Reply reply;
  reply.is = Is::reject;
  reply.codes = std::move(codes);
  return reply;
}

Reply Reply::unsupported() {
  Reply reply;
  reply.is = Is::unsupported;
  return reply;
}

Reply Reply::fault(std::string message) {
  Reply reply;
  reply.is = Is::fault;
  reply.message = std::move(message);
  return reply;
}

void Reply::document(const std::string &name, const JsonText &json) {
  out[name] = {Output::Kind::document, json.text};
}

void Reply::bytes(const std::string &name, const std::string &bytes) {
  out[name] = {Output::Kind::bytes, bytes};
}

void Reply::value(const std::string &name, const JsonText &json) {
  out[name] = {Output::Kind::value, json.text};
}

void Reply::value(const std::string &name, const std::string &text) {
  value(name, JsonText{json_string(text)});
}

void Reply::value(const std::string &name, std::int64_t number) {
  value(name, JsonText{std::to_string(number)});
}

void Reply::value(const std::string &name, bool truth) {
  value(name, JsonText{truth ? "true" : "false"});
}

void Reply::value(const std::string &name,
                  const std::vector<std::string> &texts) {
  Json::Array list;
  for (const std::string &text : texts)
    list.emplace_back(text);
  value(name, JsonText{Json(std::move(list)).text()});
}

Reply Testee::answer(const Request &request) {
  try {
    return ask(request);
  } catch (const std::exception &error) {
    return Reply::fault(error.what());
  } catch (...) {
    return Reply::fault("something was thrown that is not a std::exception");
  }
}

} // namespace assize
