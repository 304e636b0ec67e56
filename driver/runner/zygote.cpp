// SPDX-License-Identifier: MIT
// The runner's main(): started once per submission, it forks one warm process a case.
#include "driver/protocol/frame.hpp"
#include "driver/runner/child.hpp"
#include "driver/runner/exercise.hpp"
#include "driver/runner/exits.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace runner {
namespace {

constexpr int control_socket = 3;

// With a descriptor, if there is one.
void send_packet(const nlohmann::ordered_json& packet, int descriptor = -1) {
  std::string text = packet.dump();
  iovec part{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  while (::sendmsg(control_socket, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

// What a case has left running: all of it, where the runner is the first of its own processes.
void end_leftovers() {
  if (::getpid() != 1) return;
  ::kill(-1, SIGKILL);
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

bool take_descriptors(msghdr& message, Request& request) {
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  std::array<int, 4> fds{};
  if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof fds)) {
    return false;
  }
  std::memcpy(fds.data(), CMSG_DATA(header), sizeof fds);
  request.payload = fds[0];
  request.report = fds[1];
  request.output = fds[2];
  request.error = fds[3];
  return true;
}

// The next request, or nothing when the driver has closed its end or speaks another language.
std::optional<Request> receive_request() {
  std::array<char, 65536> buffer;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * 4)> control{};
  iovec part{buffer.data(), buffer.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t count = -1;
  do {
    count = ::recvmsg(control_socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  Request request;
  if (count <= 0 || !take_descriptors(message, request)) return std::nullopt;
  const auto packet = nlohmann::json::parse(
      std::string_view(buffer.data(), static_cast<std::size_t>(count)), nullptr, false);
  if (!packet.is_object() || !packet.contains("id")) return std::nullopt;
  request.id = packet.at("id").get<std::uint64_t>();
  request.token = protocol::parse_token(packet.value("token", std::string())).value_or(0);
  request.limits = packet.value("limits", nlohmann::json::object());
  return request;
}

void close_descriptors(const Request& request) {
  for (const int fd : {request.payload, request.report, request.output, request.error}) {
    ::close(fd);
  }
}

std::int64_t milliseconds(const timeval& time) { return time.tv_sec * 1000 + time.tv_usec / 1000; }

void serve(const Request& request) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(control_socket);
    run_child(request);
  }
  close_descriptors(request);
  // The driver may live among other processes, where the child has another number.
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  send_packet({{"id", request.id}, {"pid", child}}, handle);
  ::close(handle);
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  end_leftovers();
  send_packet({{"id", request.id},
               {"status", status},
               {"cpu_ms", milliseconds(used.ru_utime) + milliseconds(used.ru_stime)},
               {"max_rss_kb", used.ru_maxrss}});
}

}  // namespace
}  // namespace runner

int main() {
  runner::send_packet({{"hello", 1}, {"exercise", runner::exercise_slug}});
  while (const auto request = runner::receive_request()) runner::serve(*request);
  runner::exit_now(0);
}
