// SPDX-License-Identifier: MIT
// aio::ExceptionGroup: several failures thrown as one.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace aio {

/// Several failures in the order in which they were recorded.
/// Lifetime: shares the exception objects themselves; a recorded std::exception_ptr compares equal
/// to the member it became.
class ExceptionGroup : public std::exception {
 public:
  ExceptionGroup(std::string message, std::vector<std::exception_ptr> exceptions)
      : message_(std::move(message)), exceptions_(std::move(exceptions)) {}

  const char* what() const noexcept override { return message_.c_str(); }
  const std::vector<std::exception_ptr>& exceptions() const noexcept { return exceptions_; }

 private:
  std::string message_;
  std::vector<std::exception_ptr> exceptions_;
};

}  // namespace aio
