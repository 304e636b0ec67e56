// SPDX-License-Identifier: MIT
// Given: what an exchange ends with, an answer or one of two failures.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

/// Header names and values.
using Headers = std::map<std::string, std::string>;

/// A server's answer, whatever its status.
/// Shape: the names in `headers` are in lower case; `body` has the body's bytes and no others.
struct Response {
  int status = 0;
  Headers headers;
  std::string body;
};

/// An answer whose status is not 200.
class HttpError : public std::runtime_error {
 public:
  HttpError(std::string url, int status)
      : std::runtime_error("HTTP " + std::to_string(status) + " for " + url),
        url_(std::move(url)),
        status_(status) {}

  const std::string& url() const { return url_; }
  int status() const { return status_; }

 private:
  std::string url_;
  int status_;
};

/// The connection ended before the answer was whole.
class IncompleteReadError : public std::runtime_error {
 public:
  explicit IncompleteReadError(std::string partial)
      : std::runtime_error("the connection ended after " + std::to_string(partial.size()) +
                           " bytes of what was being read"),
        partial_(std::move(partial)) {}

  /// What had arrived of the line or the body that was being read.
  const std::string& partial() const { return partial_; }

 private:
  std::string partial_;
};
