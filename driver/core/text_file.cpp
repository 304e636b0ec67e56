// SPDX-License-Identifier: MIT
//
// Opens without blocking and asks the descriptor, not the path, what it is.

#include "driver/core/text_file.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/unique_fd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace driver {
namespace {

std::string reason(int error) {
  switch (error) {
    case ENOENT:
      return "no such file";
    case ELOOP:
      return "is a symbolic link";
    default:
      return std::strerror(error);  // NOLINT(concurrency-mt-unsafe): one thread
  }
}

void refuse(const std::string& shown, const std::string& what) {
  throw BadInput(shown + ": " + what);
}

void check_regular(int fd, const std::string& shown) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) {
    refuse(shown, reason(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    refuse(shown, "is a folder, not a file");
  }
  if (!S_ISREG(status.st_mode)) {
    refuse(shown, "is not a regular file");
  }
}

void write_all(int fd, std::string_view text, const std::string& shown) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      refuse(shown, "cannot be written: " + reason(errno));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t limit, Links links,
                      const std::string& shown) {
  const std::string name = shown.empty() ? printable(path.string()) : shown;
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const UniqueFd file(::open(path.c_str(), links == Links::refuse ? flags | O_NOFOLLOW : flags));
  if (!file.is_open()) {
    refuse(name, reason(errno));
  }
  check_regular(file.get(), name);
  std::string text;
  std::array<char, 1U << 16U> buffer{};
  while (text.size() <= limit) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      refuse(name, reason(errno));
    }
    if (got == 0) {
      return text;
    }
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  refuse(name, "is larger than " + std::to_string(limit) + " bytes");
  return text;
}

void write_new_file(const std::filesystem::path& path, std::string_view text) {
  const std::string shown = printable(path.string());
  const UniqueFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file.is_open()) {
    refuse(shown, errno == EEXIST ? "exists already" : "cannot be written: " + reason(errno));
  }
  write_all(file.get(), text, shown);
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  const std::string shown = printable(path.string());
  std::string draft = path.string() + ".XXXXXX";
  const UniqueFd file(::mkostemp(draft.data(), O_CLOEXEC));
  if (!file.is_open()) {
    refuse(shown, "cannot be written: " + reason(errno));
  }
  try {
    write_all(file.get(), text, shown);
    if (::fchmod(file.get(), 0644) != 0 || ::rename(draft.c_str(), path.c_str()) != 0) {
      refuse(shown, "cannot be written: " + reason(errno));
    }
  } catch (const BadInput&) {
    ::unlink(draft.c_str());
    throw;
  }
}

}  // namespace driver
