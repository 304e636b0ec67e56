// SPDX-License-Identifier: MIT
//
// A tiny runner that misbehaves on request: argv[1] says how before the hello, the case's "do" says
// how during a case. It speaks the real protocol and links to nothing but the frames.

#include "driver/protocol/frame.hpp"
#include "tests/unit/process/fake_acts.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <signal.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fake {
namespace {

constexpr int control = 3;

struct Request {
  json packet;
  std::array<int, 4> fds{};
};

std::optional<Request> receive() {
  std::array<char, 65536> text;
  Request request;
  iovec part = {.iov_base = text.data(), .iov_len = text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof request.fds)> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  const ssize_t count = ::recvmsg(control, &message, MSG_CMSG_CLOEXEC);
  if (count <= 0) {
    return std::nullopt;
  }
  std::memcpy(request.fds.data(), CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof request.fds);
  request.packet = json::parse(text.data(), text.data() + count);
  return request;
}

json read_payload(int fd) {
  std::string text;
  std::array<char, 4096> part;
  ssize_t count = 0;
  while ((count = ::read(fd, part.data(), part.size())) > 0) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  return json::parse(text);
}

[[noreturn]] void run_child(const Request& request) {
  ::close(control);
  const json payload = read_payload(request.fds[0]);
  ::dup2(request.fds[2], 1);
  ::dup2(request.fds[3], 2);
  Report report{
      .fd = request.fds[1],
      .token = protocol::parse_token(request.packet.at("token").get<std::string>()).value(),
      .sequence = 0};
  std::map<std::string, Act> acts = report_acts();
  acts.merge(process_acts());
  const json& test_case = payload.at("case");
  acts.at(test_case.at("do").get<std::string>())(report, test_case);
  ::_exit(0);
}

void tell(const json& packet) {
  const std::string text = packet.dump();
  ::send(control, text.data(), text.size(), MSG_NOSIGNAL);
}

/// The lies that a runner may tell about its child.
void tell_pid(const Request& request, const json& id, pid_t child) {
  const json wanted = request.packet.at("limits").value("pid", json(child));
  tell({{"id", id}, {"pid", wanted}});
}

void serve(const Request& request) {
  const json id = request.packet.at("id");
  const pid_t child = ::fork();
  if (child == 0) {
    run_child(request);
  }
  tell_pid(request, id, child);
  for (const int fd : request.fds) {
    ::close(fd);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  tell({{"id", id}, {"status", status}, {"cpu_ms", 1}, {"max_rss_kb", usage.ru_maxrss}});
}

void before_hello(const std::string& how) {
  if (how == "exit") {
    write_all(2, "said before the end");
    ::_exit(3);
  }
  if (how == "crash") {
    ::raise(SIGSEGV);
  }
  if (how == "silent") {
    idle();
  }
}

}  // namespace
}  // namespace fake

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  fake::before_hello(how);
  fake::tell({{"hello", 1}, {"exercise", "fake"}});
  while (const auto request = fake::receive()) {
    fake::serve(*request);
    if (how == "one case") {
      return 0;
    }
  }
}
