// SPDX-License-Identifier: MIT
//
// The path is resolved once and must stay inside; then each part of the resolved path is opened
// without following links, so a link put there meanwhile is refused too.

#include "driver/core/contained_file.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/text_file.hpp"
#include "driver/core/unique_fd.hpp"
#include "driver/core/utf8.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <system_error>

namespace driver {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw BadInput(printable(name) + ": " + what);
}

/// The path of `name` relative to `folder` after all links.
fs::path resolved_inside(const fs::path& folder, const std::string& name) {
  std::error_code failed;
  const fs::path target = fs::canonical(folder / name, failed);
  if (failed == std::errc::no_such_file_or_directory) {
    const bool is_link = fs::is_symlink(fs::symlink_status(folder / name, failed));
    refuse(name, is_link ? "is a symbolic link to nothing" : "no such file");
  }
  if (failed) {
    refuse(name, failed.message());
  }
  const fs::path relative = target.lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") {
    refuse(name, "is a symbolic link that leaves the folder of the submission");
  }
  return relative;
}

/// Opens the folder that holds the last part of `relative`, link by link refused.
UniqueFd open_parent(const fs::path& folder, const fs::path& relative, const std::string& name) {
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  UniqueFd parent(::open(folder.c_str(), flags));
  for (const fs::path& part : relative.parent_path()) {
    if (parent.is_open()) {
      parent = UniqueFd(::openat(parent.get(), part.c_str(), flags));
    }
  }
  if (!parent.is_open()) {
    refuse(name, "its folder cannot be opened");
  }
  return parent;
}

std::string hex(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("0x") + digits[byte >> 4U] + digits[byte & 15U];
}

bool is_binary(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return (byte < 0x20 && (byte < '\t' || byte > '\r')) || byte == 0x7f;
}

/// Number of bytes that are no UTF-8, and where the first one is.
struct EncodingErrors {
  std::size_t count = 0;
  std::size_t first = 0;
};

EncodingErrors encoding_errors(std::string_view text) {
  EncodingErrors errors;
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t length = utf8_length(text.substr(offset));
    if (length == 0) {
      errors.first = errors.count == 0 ? offset : errors.first;
      ++errors.count;
    }
    offset += std::max<std::size_t>(length, 1);
  }
  return errors;
}

}  // namespace

std::string read_contained(const fs::path& folder, const std::string& name, std::size_t limit) {
  const fs::path relative = resolved_inside(folder, name);
  const UniqueFd parent = open_parent(folder, relative, name);
  // The kernel resolves /proc/self/fd/N to the very folder that was opened.
  const fs::path opened = fs::path("/proc/self/fd") / std::to_string(parent.get());
  return read_file(opened / relative.filename(), limit, Links::refuse, printable(name));
}

void require_text(const std::string& name, const std::string& text) {
  if (text.empty()) {
    refuse(name, "is empty");
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    refuse(name, "is UTF-16, not UTF-8: save it as UTF-8");
  }
  const auto bad = std::ranges::find_if(text, is_binary);
  if (bad != text.end()) {
    refuse(name, "is not a text file: byte " + hex(static_cast<unsigned char>(*bad)) +
                     " at offset " + std::to_string(bad - text.begin()));
  }
  const EncodingErrors errors = encoding_errors(text);
  if (errors.count * 10 > text.size()) {
    refuse(name, "is not a text file: it is no UTF-8 from offset " + std::to_string(errors.first));
  }
}

std::string encoding_warning(const std::string& name, const std::string& text) {
  const EncodingErrors errors = encoding_errors(text);
  return errors.count == 0 ? ""
                           : printable(name) + " is not UTF-8 at offset " +
                                 std::to_string(errors.first) + "; the compiler may complain";
}

}  // namespace driver
