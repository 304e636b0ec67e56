// SPDX-License-Identifier: MIT
// aio::retry_on<A, B>(): which failures are worth another attempt.
#pragma once

#include <algorithm>
#include <concepts>
#include <exception>
#include <vector>

namespace aio {

/// A set of exception classes, fixed when it is made; empty by default.
class RetryOn {
 public:
  RetryOn() = default;

  /// Whether `error` is an instance of one of the classes, or of a class derived from one.
  bool matches(const std::exception_ptr& error) const {
    return error && std::ranges::any_of(classes_,
                                        [&](auto is_instance_of) { return is_instance_of(error); });
  }

  /// The classes of both sets.
  friend RetryOn operator|(RetryOn a, const RetryOn& b) {
    a.classes_.insert(a.classes_.end(), b.classes_.begin(), b.classes_.end());
    return a;
  }

 private:
  template <std::derived_from<std::exception>... Classes>
  friend RetryOn retry_on();

  template <class Class>
  static bool is_instance(const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const Class&) {
      return true;
    } catch (...) {
      return false;
    }
  }

  std::vector<bool (*)(const std::exception_ptr&)> classes_;
};

/// The failures that are instances of one of `Classes`, by inheritance.
/// Example: `aio::retry_on<aio::TimeoutError, std::runtime_error>()`
template <std::derived_from<std::exception>... Classes>
RetryOn retry_on() {
  RetryOn set;
  (set.classes_.push_back(&RetryOn::is_instance<Classes>), ...);
  return set;
}

}  // namespace aio
