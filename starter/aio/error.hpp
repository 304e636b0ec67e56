// SPDX-License-Identifier: MIT
// The exception types that the exercises name and the standard library lacks.
#pragma once

#include <stdexcept>
#include <string>

namespace aio {

/// An operating-system or network failure. It is no std::runtime_error, so that a retry rule for
/// std::runtime_error does not match a timeout.
class OsError : public std::exception {
 public:
  explicit OsError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Something took longer than it was allowed to.
class TimeoutError : public OsError {
 public:
  using OsError::OsError;
};

/// Thrown by a starter file where the student has not written anything yet.
/// Example: `throw aio::NotImplemented("pool-stop: WorkerPool::run");`
class NotImplemented : public std::logic_error {
 public:
  explicit NotImplemented(const std::string& where)
      : std::logic_error("not implemented: " + where) {}
};

}  // namespace aio
