// SPDX-License-Identifier: MIT
//
// One poll loop over the control socket, the report and both outputs of a child.

#include "driver/core/case_session.hpp"

#include "driver/core/case_handover.hpp"
#include "driver/core/wait_status.hpp"
#include "driver/protocol/frame.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace driver {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a killed child may take until its end is known.
constexpr auto kill_patience = std::chrono::seconds(5);

/// How long a child may take to hand over its records before it is killed.
constexpr auto flush_patience = std::chrono::seconds(1);

/// Parent of a process, as the kernel tells it; none when there is no such process.
std::optional<pid_t> parent_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text(4096, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));  // it may be gone by now
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t name_end = text.rfind(')');  // the name before it may hold anything
  if (name_end == std::string::npos || name_end + 4 >= text.size()) {
    return std::nullopt;
  }
  return static_cast<pid_t>(std::strtol(text.c_str() + name_end + 4, nullptr, 10));
}

std::optional<std::int64_t> number_in(const nlohmann::json& packet, const char* key) {
  if (!packet.contains(key) || !packet.at(key).is_number_integer()) {
    return std::nullopt;
  }
  return packet.at(key).get<std::int64_t>();
}

/// Reads what is there, up to one buffer; closes the descriptor at its end. Gives the bytes read.
std::string_view read_some(UniqueFd& fd, std::array<char, 65536>& buffer) {
  const ssize_t count = fd.is_open() ? ::read(fd.get(), buffer.data(), buffer.size()) : -1;
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
    fd.reset();
  }
  return {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

}  // namespace

CaseSession::CaseSession(SpawnedRunner& runner, const RunnerOptions& options, std::uint64_t id,
                         const RunRequest& request)
    : runner_(runner),
      options_(options),
      request_(request),
      id_(id),
      token_(random_token()),
      reader_(token_, request.schedules, options.report_limits),
      stdout_{{}, Capture(options.kept_output)},
      stderr_{{}, Capture(options.kept_output)},
      runner_output_(options.kept_output) {}

bool CaseSession::send(const nlohmann::json& case_data) {
  const nlohmann::json payload = {{"case", case_data},
                                  {"schedules", request_.schedules},
                                  {"twice", request_.twice},
                                  {"choices", request_.choices}};
  const nlohmann::json packet = {
      {"id", id_}, {"token", protocol::token_text(token_)}, {"limits", options_.limits}};
  const UniqueFd file = make_payload(payload.dump());
  Pipe report = make_pipe();
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  const std::array<int, 4> fds = {file.get(), report.write_end.get(), out.write_end.get(),
                                  err.write_end.get()};
  report_ = std::move(report.read_end);
  stdout_.fd = std::move(out.read_end);
  stderr_.fd = std::move(err.read_end);
  return send_with_fds(runner_.socket.get(), packet.dump(), fds);
}

CaseRun CaseSession::listen() {
  deadline_ = Clock::now() + options_.case_limit;
  while (!ended_) {
    poll_once();
    if (ended_ || Clock::now() < deadline_) {
      continue;
    }
    if (kill_asked_) {
      lose_runner("the runner did not tell how the case ended");
    } else if (run_.exited_on_time) {
      run_.exited_on_time = false;
      deadline_ = Clock::now() + flush_patience;
      signal_child(SIGXCPU);  // it hands over what it has observed, and ends
    } else {
      kill_child();
    }
  }
  drain();
  return result();
}

void CaseSession::poll_once() {
  std::array<pollfd, 5> fds{};
  const std::array<int, 5> numbers = {runner_.socket.get(), report_.get(), stdout_.fd.get(),
                                      stderr_.fd.get(), runner_.output.get()};
  for (std::size_t index = 0; index < fds.size(); ++index) {
    fds[index] = {.fd = numbers[index], .events = POLLIN, .revents = 0};  // -1 is passed over
  }
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(std::max(deadline_ - Clock::now(), {}));
  if (::poll(fds.data(), fds.size(), static_cast<int>(left.count())) <= 0) {
    return;  // time is up, or a signal came: the caller looks at the clock
  }
  // What the child wrote comes before the news that it has ended.
  read_report();
  read_output(stdout_);
  read_output(stderr_);
  std::array<char, 65536> buffer;
  runner_output_.add(read_some(runner_.output, buffer));
  if (fds[0].revents != 0) {
    read_packet();
  }
}

void CaseSession::read_packet() {
  std::array<char, 4096> buffer;
  const ssize_t count = ::recv(runner_.socket.get(), buffer.data(), buffer.size(), MSG_TRUNC);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (count <= 0) {
    lose_runner("the runner ended during the case");
  } else if (static_cast<std::size_t>(count) > buffer.size()) {
    lose_runner("the runner sent too long a message");
  } else {
    take_packet({buffer.data(), static_cast<std::size_t>(count)});
  }
}

void CaseSession::take_packet(std::string_view text) {
  const nlohmann::json packet = nlohmann::json::parse(text, nullptr, false);
  if (!packet.is_object() || !number_in(packet, "id") || packet.at("id") != id_) {
    lose_runner("the runner sent a message that belongs to no case");
    return;
  }
  if (const auto pid = number_in(packet, "pid")) {
    child_ = static_cast<pid_t>(*pid);
    if (kill_asked_) {
      signal_child(SIGKILL);
    }
  }
  if (const auto status = number_in(packet, "status")) {
    run_.wait_status = static_cast<int>(*status);
    run_.cpu_ms = number_in(packet, "cpu_ms").value_or(0);
    run_.max_rss_kb = number_in(packet, "max_rss_kb").value_or(0);
    ended_ = true;
  }
}

void CaseSession::read_report() {
  std::array<char, 65536> buffer;
  reader_.feed(read_some(report_, buffer));
  if (reader_.error()) {
    kill_child();
  }
}

void CaseSession::read_output(Stream& stream) {
  std::array<char, 65536> buffer;
  stream.capture.add(read_some(stream.fd, buffer));
  if (stream.capture.total() > options_.output_limit) {
    run_.output_limit = true;
    kill_child();
  }
}

/// Takes in what the ended child left in its pipes: no more than a pipe can hold, as a grandchild
/// may still be writing.
void CaseSession::drain() {
  constexpr std::size_t pipe_bytes = 1U << 20U;
  std::array<char, 65536> buffer;
  for (std::size_t done = 0, count = 1; count > 0 && done < pipe_bytes; done += count) {
    const std::string_view report = read_some(report_, buffer);
    reader_.feed(report);
    count = report.size();
    for (Stream* stream : {&stdout_, &stderr_}) {
      const std::string_view bytes = read_some(stream->fd, buffer);
      stream->capture.add(bytes);
      count += bytes.size();
    }
  }
}

void CaseSession::kill_child() {
  if (kill_asked_ || ended_) {
    return;
  }
  kill_asked_ = true;
  deadline_ = Clock::now() + kill_patience;
  signal_child(SIGKILL);
}

/// The number came from a process that a submission shares: it is used only when the kernel says
/// that it is a child of the runner. When it is gone already, its status is on the way.
void CaseSession::signal_child(int signal) {
  const auto parent = child_ > 0 ? parent_of(child_) : std::nullopt;
  if (!parent) {
    return;
  }
  if (child_ <= 1 || *parent != runner_.pid) {
    lose_runner("the runner gave the number of a process that is not its own");
    return;
  }
  ::kill(-child_, signal);  // its group, if it leads one
  ::kill(child_, signal);
}

void CaseSession::lose_runner(const std::string& why) {
  run_.protocol_error = why;
  lost_runner_ = true;
  ended_ = true;
  const int status = kill_runner(runner_);
  run_.protocol_error->append(" (" + describe_wait_status(status) + ")");
}

CaseRun CaseSession::result() {
  const bool exited = WIFEXITED(run_.wait_status) && !lost_runner_;
  if (exited && !kill_asked_) {
    reader_.close();  // a child that was killed may well have been in the middle of a frame
  }
  if (!run_.protocol_error) {
    run_.protocol_error = reader_.error();
  }
  run_.finished = exited && WEXITSTATUS(run_.wait_status) == 0 && reader_.is_finished();
  run_.saw_all = reader_.saw_all();
  run_.runs = std::move(reader_.runs());
  run_.stdout_text = stdout_.capture.text();
  run_.stderr_text = stderr_.capture.text();
  if (lost_runner_) {
    run_.stderr_text += runner_output_.text();
  }
  return std::move(run_);
}

}  // namespace driver
