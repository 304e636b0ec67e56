// SPDX-License-Identifier: MIT
// aio::repr: a value as text for logs and metrics. A type gives its own text with a member repr(),
// which may throw.
#pragma once

#include "type_name.hpp"

#include <concepts>
#include <exception>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <typeinfo>

namespace aio {

/// Base for exceptions that spell themselves; found by dynamic type.
class Representable {
 public:
  virtual ~Representable() = default;
  /// Errors: may throw anything.
  virtual std::string repr() const = 0;

 protected:
  Representable() = default;
  Representable(const Representable&) = default;
  Representable& operator=(const Representable&) = default;
};

/// A string in single quotes.
inline std::string repr(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

/// An exception as `Type('message')`.
/// Errors: whatever its own repr() throws, if it is Representable.
inline std::string repr(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Representable*>(&error)) return own->repr();
  return type_name(error) + "(" + repr(std::string_view(error.what())) + ")";
}

/// An exception in flight; `Type()` for one that is no std::exception.
inline std::string repr(const std::exception_ptr& error) {
  if (!error) return "null";
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& failure) {
    return repr(failure);
  } catch (...) {
  }
  return type_name(error) + "()";
}

/// Any other value: its member repr(), else what `<<` prints, else the name of its type.
/// Errors: whatever the member or the operator throws.
template <class T>
  requires(!std::convertible_to<const T&, std::string_view> &&
           !std::derived_from<T, std::exception> && !std::same_as<T, std::exception_ptr>)
std::string repr(const T& value) {
  if constexpr (requires {
                  { value.repr() } -> std::convertible_to<std::string>;
                }) {
    return value.repr();
  } else if constexpr (requires(std::ostream& out) { out << value; }) {
    std::ostringstream out;
    out << std::boolalpha << value;
    return out.str();
  } else {
    return "<" + detail::unqualified_name(typeid(T)) + ">";
  }
}

}  // namespace aio
