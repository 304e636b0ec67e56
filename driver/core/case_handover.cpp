// SPDX-License-Identifier: MIT
//
// Every descriptor is close-on-exec: only what is sent reaches the runner.

#include "driver/core/case_handover.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace driver {
namespace {

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Pipe make_pipe() {
  int fds[2] = {-1, -1};
  if (::pipe2(fds, O_CLOEXEC) != 0) {
    throw_errno("pipe2");
  }
  Pipe pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
  ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

UniqueFd make_payload(const std::string& text) {
  UniqueFd file(::memfd_create("case", MFD_CLOEXEC));
  if (!file.is_open()) {
    throw_errno("memfd_create");
  }
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) {
      throw_errno("write to memfd");
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::uint64_t random_token() {
  std::uint64_t token = 0;
  if (::getrandom(&token, sizeof token, 0) != static_cast<ssize_t>(sizeof token)) {
    throw_errno("getrandom");
  }
  return token;
}

bool send_with_fds(int socket, std::string text, std::array<int, 4> fds) {
  iovec part = {.iov_base = text.data(), .iov_len = text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof fds)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fds);
  std::memcpy(CMSG_DATA(header), fds.data(), sizeof fds);
  ssize_t sent = -1;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(text.size());
}

}  // namespace driver
