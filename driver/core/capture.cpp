// SPDX-License-Identifier: MIT
//
// Head and tail of a stream, and the repair of its encoding.

#include "driver/core/capture.hpp"

#include "driver/core/utf8.hpp"

#include <algorithm>

namespace driver {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Takes off the end a code point that the cut has split.
std::string_view whole_end(std::string_view bytes) {
  for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const char byte = bytes[bytes.size() - back];
    if (!is_continuation(byte)) {
      const bool is_split = static_cast<unsigned char>(byte) >= 0xC2U &&
                            utf8_length(bytes.substr(bytes.size() - back)) == 0;
      return is_split ? bytes.substr(0, bytes.size() - back) : bytes;
    }
  }
  return bytes;
}

/// Takes off the front what is left of a code point that the cut has split.
std::string_view whole_start(std::string_view bytes) {
  std::size_t skip = 0;
  while (skip < 3 && skip < bytes.size() && is_continuation(bytes[skip])) {
    ++skip;
  }
  return bytes.substr(skip);
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    text.append(length == 0 ? std::string_view("\xEF\xBF\xBD") : bytes.substr(0, length));
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

Capture::Capture(std::size_t keep) : half_(keep / 2) {}

void Capture::add(std::string_view bytes) {
  total_ += bytes.size();
  const std::size_t room = std::min(half_ - head_.size(), bytes.size());
  head_.append(bytes.substr(0, room));
  bytes.remove_prefix(room);
  if (bytes.size() > half_) {
    tail_.clear();
    bytes.remove_prefix(bytes.size() - half_);
  }
  tail_.append(bytes);
  if (tail_.size() > 2 * half_) {
    tail_.erase(0, tail_.size() - half_);
  }
}

std::string Capture::text() const {
  if (total_ <= 2 * half_) {
    return valid_utf8(head_ + tail_);
  }
  const std::string_view all_tail = tail_;
  const std::string_view head = whole_end(head_);
  const std::string_view tail =
      whole_start(all_tail.substr(all_tail.size() - std::min(half_, all_tail.size())));
  const std::size_t cut = total_ - head.size() - tail.size();
  return valid_utf8(head) + "\n[... " + std::to_string(cut) + " bytes cut ...]\n" +
         valid_utf8(tail);
}

}  // namespace driver
