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
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/syscall.h>
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

/// How long a child may sleep without a reason.
constexpr auto sleep_sample = std::chrono::milliseconds(500);
constexpr int most_idle_samples = 6;

std::string text_of(const std::string& file) {
  std::ifstream stream(file);
  std::string text(4096, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));  // it may be gone by now
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// A process as the kernel tells it.
struct ProcessState {
  char state = '?';
  pid_t parent = -1;
  std::uint64_t ticks = 0;  ///< Of processor time.
};

/// None when there is no such process.
std::optional<ProcessState> state_of(pid_t pid) {
  const std::string text = text_of("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = text.rfind(')');  // the name before it may hold anything
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  std::istringstream fields(text.substr(name_end + 1));
  ProcessState state;
  std::string skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  fields >> state.state >> state.parent;
  for (int field = 5; field < 14; ++field) {  // Source: proc(5); utime is the 14th
    fields >> skipped;
  }
  if (!(fields >> user >> system)) {
    return std::nullopt;
  }
  state.ticks = user + system;
  return state;
}

/// The number that a process has here, whatever it has where it runs.
std::optional<pid_t> number_of(const UniqueFd& handle) {
  const std::string label = "Pid:";
  const std::string text = text_of("/proc/self/fdinfo/" + std::to_string(handle.get()));
  const std::size_t at = text.find(label);
  const long number =
      at == std::string::npos ? -1 : std::strtol(text.c_str() + at + label.size(), nullptr, 10);
  return number > 1 ? std::optional(static_cast<pid_t>(number)) : std::nullopt;
}

/// What a sleeping process waits in, for people.
std::string call_of(pid_t pid) {
  static const std::map<long, std::string> names{
      {SYS_read, "read()"},           {SYS_poll, "poll()"},
      {SYS_pause, "pause()"},         {SYS_futex, "a lock that is never released"},
      {SYS_wait4, "wait()"},          {SYS_nanosleep, "nanosleep()"},
      {SYS_accept, "accept()"},       {SYS_recvfrom, "recv()"},
      {SYS_ppoll, "poll()"},          {SYS_clock_nanosleep, "nanosleep()"},
      {SYS_connect, "connect()"},     {SYS_epoll_wait, "epoll_wait()"},
      {SYS_select, "select()"},       {SYS_pselect6, "select()"},
      {SYS_rt_sigsuspend, "pause()"}, {SYS_rt_sigtimedwait, "sigwait()"}};
  const std::string text = text_of("/proc/" + std::to_string(pid) + "/syscall");
  const auto found = names.find(std::strtol(text.c_str(), nullptr, 10));
  return text.empty() || found == names.end() ? "a call that does not return" : found->second;
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
      ask_to_end();
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
  const auto wait = std::min<std::chrono::milliseconds>(left, sleep_sample);
  const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(wait.count()));
  if (ready == 0) {
    look_for_sleep();
  }
  if (ready <= 0) {
    return;  // time is up, or a signal came: the caller looks at the clock
  }
  idle_samples_ = 0;
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

/// Nothing came for a while. A child that computes uses processor time, or waits for a processor;
/// one that does neither for seconds waits for something that will not come: its time is virtual,
/// and all that it has written was read.
void CaseSession::look_for_sleep() {
  if (!options_.notices_sleep || kill_asked_ || child_ <= 0 || !run_.exited_on_time) {
    return;
  }
  const auto state = state_of(child_);
  const bool is_idle = state &&
                       (state->state == 'S' || state->state == 'T' || state->state == 't') &&
                       state->ticks == last_ticks_;
  last_ticks_ = state ? state->ticks : 0;
  idle_samples_ = is_idle ? idle_samples_ + 1 : 0;
  if (idle_samples_ == most_idle_samples) {
    run_.sleeps_in = state->state == 'S' ? call_of(child_) : "a stop of its own process";
    ask_to_end();
  }
}

void CaseSession::read_packet() {
  std::array<char, 4096> buffer;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  iovec part{.iov_base = buffer.data(), .iov_len = buffer.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t count = ::recvmsg(runner_.socket.get(), &message, MSG_CMSG_CLOEXEC);
  UniqueFd handle;
  const cmsghdr* header = count > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    handle = UniqueFd(descriptor);
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (count <= 0) {
    lose_runner("the runner ended during the case", await_end(runner_));
  } else if ((message.msg_flags & MSG_TRUNC) != 0) {
    lose_runner("the runner sent too long a message");
  } else {
    take_packet({buffer.data(), static_cast<std::size_t>(count)}, handle);
  }
}

void CaseSession::take_packet(std::string_view text, const UniqueFd& handle) {
  const nlohmann::json packet = nlohmann::json::parse(text, nullptr, false);
  if (!packet.is_object() || !number_in(packet, "id") || packet.at("id") != id_) {
    lose_runner("the runner sent a message that belongs to no case");
    return;
  }
  if (const auto pid = number_in(packet, "pid")) {
    child_ = handle.is_open() ? number_of(handle).value_or(-1) : static_cast<pid_t>(*pid);
    if (kill_asked_) {
      signal_child(SIGKILL);
    }
  }
  if (const auto status = number_in(packet, "status")) {
    run_.wait_status = static_cast<int>(*status);
    run_.cpu_ms = number_in(packet, "cpu_ms").value_or(0);
    run_.cpu_limit_ms = 1000 * options_.limits.value("cpu_seconds", std::int64_t{10});
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

/// The child hands over what it has observed, and ends; it is killed when it does not.
void CaseSession::ask_to_end() {
  run_.exited_on_time = false;
  deadline_ = Clock::now() + flush_patience;
  signal_child(SIGXCPU);
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
  const auto state = child_ > 0 ? state_of(child_) : std::nullopt;
  const bool is_dead = state && (state->state == 'Z' || state->state == 'X');
  if (!state || (is_dead && state->parent == 0)) {  // while it is taken away, it has no parent
    return;
  }
  // Between the runner and us there may be the program that keeps it to itself.
  const auto parent = state_of(state->parent);
  const bool is_ours = state->parent == runner_.pid || (parent && parent->parent == runner_.pid);
  if (child_ <= 1 || !is_ours) {
    lose_runner("the runner gave the number of a process that is not its own");
    return;
  }
  ::kill(-child_, signal);  // its group, if it leads one
  ::kill(child_, signal);
}

void CaseSession::lose_runner(const std::string& why) { lose_runner(why, kill_runner(runner_)); }

void CaseSession::lose_runner(const std::string& why, int status) {
  run_.protocol_error = why + " (" + describe_wait_status(status) + ")";
  lost_runner_ = true;
  ended_ = true;
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
