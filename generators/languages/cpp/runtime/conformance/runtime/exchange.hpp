// One question and one reply, without the types of the single operations:
// what the suite and the shim share with the generated dispatch.
#pragma once

#include "conformance/runtime/answer.hpp"
#include "conformance/runtime/declaration.hpp"
#include "conformance/runtime/json.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assize {

struct Request {
  std::string op;
  Json args;
  std::map<std::string, std::string> documents;
  std::filesystem::path root;

  // An argument or a document by its name; only an optional one may be absent.
  void read_argument(std::string_view name, std::string &out) const;
  void read_argument(std::string_view name,
                     std::vector<std::string> &out) const;
  void read_argument(std::string_view name, JsonText &out) const;
  template <class T>
  void read_argument(std::string_view name, std::optional<T> &out) const {
    if (args.find(name) != nullptr)
      read_argument(name, out.emplace());
  }

  void read_document(const std::string &name, std::string &out) const;
  void read_document(const std::string &name,
                     std::optional<std::string> &out) const;
};

struct Output {
  enum class Kind { document, bytes, value };
  Kind kind;
  // JSON text of a document or a value; the bytes themselves.
  std::string payload;
};

struct Reply {
  enum class Is { accept, reject, unsupported, fault };

  Is is = Is::accept;
  std::vector<std::string> codes;
  std::map<std::string, Output> out;
  // What broke.
  std::string message;

  static Reply accept() { return {}; }
  static Reply reject(std::vector<std::string> codes);
  static Reply unsupported();
  static Reply fault(std::string message);

  void document(const std::string &name, const JsonText &json);
  void bytes(const std::string &name, const std::string &bytes);

  void value(const std::string &name, const JsonText &json);
  void value(const std::string &name, const std::string &text);
  void value(const std::string &name, std::int64_t number);
  void value(const std::string &name, bool truth);
  void value(const std::string &name, const std::vector<std::string> &texts);
  template <class T>
  void value(const std::string &name, const std::optional<T> &value_or_null) {
    if (value_or_null)
      value(name, *value_or_null);
    else
      value(name, JsonText{"null"});
  }
};

// The implementation as suite and shim see it.
class Testee {
public:
  virtual ~Testee() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string version() const = 0;
  [[nodiscard]] virtual Declaration declaration() const = 0;
  // What can be asked beside operations: a JSON object, or no text at all.
  [[nodiscard]] virtual JsonText capabilities() const { return {}; }
  // Everything that could be declared.
  [[nodiscard]] virtual Declaration known() const = 0;

  // Never throws: what the implementation lets escape is a fault.
  [[nodiscard]] Reply answer(const Request &request);

private:
  virtual Reply ask(const Request &request) = 0;
};

// The testee around your Kernel.
std::unique_ptr<Testee> make_testee();

} // namespace assize
