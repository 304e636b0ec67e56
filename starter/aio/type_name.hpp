// SPDX-License-Identifier: MIT
// The name of an exception's type, as the exercises and their reports spell it.
#pragma once

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>

namespace aio {

namespace detail {

inline std::string unqualified_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? demangled.get() : type.name();
  name.erase(std::min(name.find('<'), name.size()));
  if (const auto colons = name.rfind("::"); colons != std::string::npos) name.erase(0, colons + 2);
  return name;
}

// The one table between C++'s names and the reports' names.
inline std::string reported_name(const std::string& name) {
  static const std::map<std::string, std::string, std::less<>> table = {
      {"exception", "Exception"},
      {"runtime_error", "RuntimeError"},
      {"invalid_argument", "ValueError"},
      {"out_of_range", "LookupError"},
      {"OsError", "OSError"},
      {"Cancelled", "CancelledError"},
      {"bad_alloc", "MemoryError"},
      {"domain_error", "ArithmeticError"},
  };
  const auto found = table.find(name);
  return found == table.end() ? name : found->second;
}

}  // namespace detail

/// The name of the dynamic type of `error`, without namespaces and template arguments.
/// Example: `type_name(std::invalid_argument("x"))` is "ValueError".
inline std::string type_name(const std::exception& error) {
  return detail::reported_name(detail::unqualified_name(typeid(error)));
}

/// The same for an exception in flight, of whatever type; "" for a null pointer.
inline std::string type_name(const std::exception_ptr& error) {
  if (!error) return {};
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& failure) {
    return type_name(failure);
  } catch (...) {
    return detail::reported_name(detail::unqualified_name(*abi::__cxa_current_exception_type()));
  }
}

}  // namespace aio
