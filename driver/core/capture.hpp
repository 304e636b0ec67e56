// SPDX-License-Identifier: MIT
//
// Keeps the beginning and the end of a stream of any length, so that a program that prints without
// end costs a fixed amount of memory and its first and last words are still shown.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace driver {

/// Collects output, of which text() shows at most about `keep` bytes.
class Capture {
 public:
  explicit Capture(std::size_t keep);

  void add(std::string_view bytes);

  /// Gives the number of bytes added so far, kept or not.
  std::size_t total() const { return total_; }

  /// Gives what was kept, as valid UTF-8: the cut is marked with the number of bytes left out, and
  /// bytes that are no UTF-8 become U+FFFD.
  std::string text() const;

 private:
  std::size_t half_;
  std::size_t total_ = 0;
  std::string head_;
  std::string tail_;  ///< Up to twice half_ bytes, so that trimming it is rare.
};

/// Gives `bytes` with each byte that is no part of valid UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view bytes);

}  // namespace driver
