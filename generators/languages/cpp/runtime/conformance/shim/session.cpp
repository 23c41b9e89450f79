#include "conformance/shim/session.hpp"

#include "conformance/runtime/base64.hpp"
#include "conformance/runtime/sha256.hpp"
#include "conformance/runtime/utf8.hpp"

#include <algorithm>
#include <utility>

namespace assize {
namespace {

constexpr std::int64_t protocol = 1;
constexpr std::size_t default_line = 8 << 20;
constexpr std::size_t frame_depth = 512;
// Answers come in order; the harness may send this many cases ahead.
constexpr std::string_view in_flight = "8";

// A document did not arrive as it was sent, which says nothing about the
// implementation.
class BadReceipt : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

const Json &member(const Json &frame, std::string_view name) {
  const Json *found = frame.find(name);
  if (found == nullptr)
    throw BadFrame("the member " + json_string(name) + " is missing");
  return *found;
}

const std::string &text(const Json &frame, std::string_view name) {
  const std::string *found = member(frame, name).string();
  if (found == nullptr)
    throw BadFrame("the member " + json_string(name) + " is not a string");
  return *found;
}

std::int64_t integer(const Json &json) {
  const auto found = json.integer();
  if (!found)
    throw BadFrame("no integer: " + json.text());
  return *found;
}

const Json::Object &object(const Json &frame, std::string_view name) {
  const Json::Object *found = member(frame, name).object();
  if (found == nullptr)
    throw BadFrame("the member " + json_string(name) + " is not an object");
  return *found;
}

struct Document {
  std::string bytes;
  std::string sha256;
};

// The bytes of a parcel, if they are the ones that were sent. The digest is
// that of the bytes that will be judged, and not the stated one.
Document unpack(const Json::Member &parcel) {
  auto bytes = base64_decode(text(parcel.value, "b64"));
  if (!bytes)
    throw BadReceipt("in." + parcel.name + ": b64 does not decode");
  const std::string &stated = text(parcel.value, "sha256");
  std::string found = sha256_hex(*bytes);
  if (found != stated)
    throw BadReceipt("in." + parcel.name + ": the bytes have SHA-256 " + found +
                     ", not the stated " + stated);
  return {*std::move(bytes), std::move(found)};
}

// A name and its value, after a comma unless they are the first.
void append_member(std::string &out, std::string_view name,
                   std::string_view json) {
  if (!out.empty())
    out += ',';
  out += json_string(name);
  out += ':';
  out += json;
}

std::string outputs(const Reply &reply) {
  std::string out;
  for (const auto &[name, output] : reply.out) {
    switch (output.kind) {
    case Output::Kind::document:
      append_member(out, name, json_string(output.payload));
      break;
    case Output::Kind::bytes:
      append_member(out, name, json_string(base64_encode(output.payload)));
      break;
    case Output::Kind::value:
      append_member(out, name, Json::parse(output.payload, frame_depth).text());
      break;
    }
  }
  return "{" + out + "}";
}

// The member of a hello, with the comma before it; nothing if there are none.
std::string capabilities(const Testee &testee) {
  const std::string text = testee.capabilities().text;
  if (text.empty())
    return "";
  const Json json = Json::parse(text);
  if (json.object() == nullptr)
    throw JsonError("capabilities() is not JSON object: " + text);
  return R"(,"capabilities":)" + json.text();
}

std::string codes(const Reply &reply) {
  Json::Array array;
  for (const std::string &code : reply.codes)
    array.emplace_back(code);
  return Json(std::move(array)).text();
}

} // namespace

Session::Session(Testee &testee, Channel &channel, std::string generator)
    : testee_(testee), channel_(channel), generator_(std::move(generator)),
      declaration_(testee.declaration()), limit_(default_line) {}

void Session::run() {
  while (const auto line = channel_.read_line(limit_))
    if (!step(*line))
      return;
}

bool Session::step(std::string_view line) {
  Json frame;
  try {
    frame = Json::parse(line, frame_depth);
  } catch (const JsonError &error) {
    throw BadFrame("no JSON, " + std::string(error.what()) + ": " +
                   json_string(line.substr(0, 80)));
  }
  const std::string &kind = text(frame, "t");
  if (kind == "hello" && !greeted_)
    return hello(frame);
  if (kind == "case" && greeted_) {
    judge(frame);
  } else if (kind == "ping" && greeted_) {
    channel_.write_line(R"({"t":"pong","n":)" +
                        std::to_string(integer(member(frame, "n"))) + "}");
  } else if (kind == "bye" && greeted_) {
    channel_.write_line(R"({"t":"bye","served":)" + std::to_string(served_) +
                        R"(,"chain":)" + json_string(chain_) + "}");
    return false;
  } else {
    throw BadFrame("a frame " + json_string(kind) + " that has no place here");
  }
  return true;
}

bool Session::hello(const Json &frame) {
  const Json::Array *offered = member(frame, "proto").array();
  if (offered == nullptr || offered->empty())
    throw BadFrame("\"proto\" is not a range");
  const auto [low, high] = std::ranges::minmax(*offered, {}, integer);
  if (integer(low) > protocol || integer(high) < protocol) {
    channel_.write_line(R"({"t":"refuse","why":"proto","supported":[)" +
                        std::to_string(protocol) + "]}");
    return false;
  }
  greeted_ = true;
  if (const Json *limits = frame.find("limits"))
    if (const Json *line = limits->find("line"))
      limit_ =
          static_cast<std::size_t>(std::max<std::int64_t>(integer(*line), 1));
  channel_.write_line(
      R"({"t":"hello","proto":)" + std::to_string(protocol) +
      R"(,"testee":{"name":)" + json_string(testee_.name()) + R"(,"version":)" +
      json_string(testee_.version()) + R"(,"lang":"cpp"},"shim":{"name":)" +
      R"("assize-kit-cpp","version":)" + json_string(generator_) +
      R"(},"ops":)" + to_json(declaration_) + capabilities(testee_) +
      R"(,"in_flight":)" + std::string(in_flight) + "}");
  return true;
}

void Session::judge(const Json &frame) {
  const std::string &id = text(frame, "id");
  Request request;
  request.op = text(frame, "op");
  request.args = Json(object(frame, "args"));
  const Json::Object &parcels = object(frame, "in");
  std::string seen;
  try {
    for (const Json::Member &parcel : parcels) {
      Document document = unpack(parcel);
      append_member(seen, parcel.name, json_string(document.sha256));
      request.documents.emplace(parcel.name, std::move(document.bytes));
    }
  } catch (const BadReceipt &error) {
    write_fault(id, "receipt", error.what());
    return;
  }
  if (const Json *root = frame.find("root"); root && root->string())
    request.root =
        std::u8string(root->string()->begin(), root->string()->end());
  const auto feature = undeclared(declaration_, request.op, request.args);
  if (feature) {
    channel_.write_line(R"({"t":"unsupported","id":)" + json_string(id) +
                        R"(,"feature":)" + json_string(*feature) + "}");
    return;
  }
  const Reply reply = testee_.answer(request);
  switch (reply.is) {
  case Reply::Is::unsupported:
    channel_.write_line(R"({"t":"unsupported","id":)" + json_string(id) +
                        R"(,"feature":)" + json_string(request.op) + "}");
    return;
  case Reply::Is::fault:
    write_fault(id, "panic", reply.message);
    return;
  case Reply::Is::accept:
  case Reply::Is::reject:
    write_answer(id, reply, seen);
  }
}

void Session::write_answer(const std::string &id, const Reply &reply,
                           const std::string &seen) {
  const std::string verdict =
      reply.is == Reply::Is::accept ? "accept" : "reject";
  std::string line;
  try {
    line =
        R"({"t":"answer","id":)" + json_string(id) + R"(,"seen":{)" + seen +
        R"(},"is":)" + json_string(verdict) +
        (reply.is == Reply::Is::reject ? R"(,"codes":)" + codes(reply) : "") +
        R"(,"out":)" + outputs(reply) + "}";
  } catch (const JsonError &error) {
    write_fault(id, "panic",
                "an output is not JSON: " + std::string(error.what()));
    return;
  }
  if (!utf8::is_valid(line)) {
    write_fault(id, "panic", "the answer is not UTF-8");
    return;
  }
  if (line.size() > limit_) {
    write_fault(id, "limit",
                "the answer has " + std::to_string(line.size()) +
                    " bytes, more than limits.line");
    return;
  }
  // Written before it is counted: a receipt is for what went out.
  channel_.write_line(line);
  ++served_;
  chain_ = sha256_hex(chain_ + "\n" + id + "\n" + verdict);
}

void Session::write_fault(const std::string &id, std::string_view kind,
                          std::string_view message) {
  // A message may hold any bytes, which no frame can.
  std::string readable;
  for (const char byte : message)
    readable += byte >= ' ' && byte <= '~' ? byte : '?';
  channel_.write_line(R"({"t":"fault","id":)" + json_string(id) +
                      R"(,"kind":)" + json_string(kind) + R"(,"message":)" +
                      json_string(readable) + "}");
}

} // namespace assize
