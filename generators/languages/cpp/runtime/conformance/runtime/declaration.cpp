#include "conformance/runtime/declaration.hpp"

#include <algorithm>

namespace assize {

std::optional<std::string> undeclared(const Declaration &declaration,
                                      const std::string &op, const Json &args) {
  const auto choices = declaration.find(op);
  if (choices == declaration.end())
    return op;
  for (const auto &[name, values] : choices->second) {
    const Json *asked = args.find(name);
    const std::string *value = asked != nullptr ? asked->string() : nullptr;
    if (value == nullptr)
      return op + "/" + name;
    if (std::ranges::find(values, *value) == values.end())
      return op + "/" + *value;
  }
  return std::nullopt;
}

std::string to_json(const Declaration &declaration) {
  Json::Object ops;
  for (const auto &[op, choices] : declaration) {
    Json::Object args;
    for (const auto &[name, values] : choices) {
      Json::Array list;
      for (const std::string &value : values)
        list.emplace_back(value);
      args.push_back({name, Json(std::move(list))});
    }
    ops.push_back({op, Json(std::move(args))});
  }
  return Json(std::move(ops)).text();
}

std::optional<std::string> problem(const Declaration &declaration,
                                   const Declaration &known) {
  if (declaration.empty())
    return "nothing is declared: name what you implement in declaration()";
  for (const auto &[op, choices] : declaration) {
    const auto operation = known.find(op);
    if (operation == known.end())
      return "there is no operation " + op + " in this suite";
    for (const auto &[name, values] : operation->second) {
      const auto chosen = choices.find(name);
      if (chosen == choices.end() || chosen->second.empty())
        return op + " is declared without values for " + name;
      for (const std::string &value : chosen->second)
        if (std::ranges::find(values, value) == values.end())
          return "the argument " + name + " of " + op + " is never " + value;
    }
    for (const auto &[name, values] : choices)
      if (!operation->second.contains(name))
        return op + " has no argument " + name + " to choose values for";
  }
  return std::nullopt;
}

} // namespace assize
