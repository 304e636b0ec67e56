// SPDX-License-Identifier: MIT
//
// Keeps one warm runner alive from case to case.

#include "driver/core/process.hpp"

#include "driver/core/capture.hpp"
#include "driver/core/case_session.hpp"
#include "driver/core/wait_status.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace driver {
namespace {

using Clock = std::chrono::steady_clock;

/// Reads all that is there; closes the descriptor at its end.
void read_all(UniqueFd& fd, Capture& capture) {
  std::array<char, 65536> buffer;
  ssize_t count = 1;
  while (fd.is_open() && count > 0) {
    count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count > 0) {
      capture.add({buffer.data(), static_cast<std::size_t>(count)});
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      fd.reset();
    }
  }
}

bool is_hello(std::string_view text, const std::string& exercise) {
  const nlohmann::json packet = nlohmann::json::parse(text, nullptr, false);
  return packet.is_object() && packet.contains("hello") && packet.at("hello") == 1 &&
         (exercise.empty() || (packet.contains("exercise") && packet.at("exercise") == exercise));
}

}  // namespace

RunnerFailed::RunnerFailed(const std::string& what, std::optional<int> wait_status,
                           std::string output)
    : std::runtime_error(what), wait_status_(wait_status), output_(std::move(output)) {}

RunnerProcess::RunnerProcess(RunnerOptions options) : options_(std::move(options)) { start(); }

RunnerProcess::~RunnerProcess() {
  if (runner_.pid > 0) {
    end_runner(runner_);
  }
}

CaseRun RunnerProcess::run(const nlohmann::json& case_data, const RunRequest& request) {
  for (int attempt = 1; attempt <= 2; ++attempt) {
    if (runner_.pid <= 0) {
      start();
    }
    CaseSession session(runner_, options_, next_id_++, request);
    if (session.send(case_data)) {
      CaseRun run = session.listen();
      if (session.was_started() || attempt == 2) {
        return run;
      }
    }
    // It died between two cases, which is not this case's doing.
    if (runner_.pid > 0) {
      kill_runner(runner_);
    }
  }
  throw RunnerFailed("the runner takes no case", std::nullopt, "");
}

void RunnerProcess::start() {
  runner_ = spawn_runner(options_.program, options_.arguments, options_.environment);
  try {
    await_hello();
  } catch (...) {
    if (runner_.pid > 0) {
      kill_runner(runner_);
    }
    throw;
  }
}

void RunnerProcess::await_hello() {
  const auto deadline = Clock::now() + options_.hello_limit;
  Capture output(options_.kept_output);
  std::array<char, 4096> buffer;
  while (Clock::now() < deadline) {
    std::array<pollfd, 2> fds = {
        pollfd{.fd = runner_.socket.get(), .events = POLLIN, .revents = 0},
        pollfd{.fd = runner_.output.get(), .events = POLLIN, .revents = 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    ::poll(fds.data(), fds.size(), static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    read_all(runner_.output, output);
    if (fds[0].revents == 0) {
      continue;
    }
    const ssize_t count = ::recv(runner_.socket.get(), buffer.data(), buffer.size(), 0);
    if (count > 0 &&
        is_hello({buffer.data(), static_cast<std::size_t>(count)}, options_.exercise)) {
      return;
    }
    if (count > 0) {
      throw RunnerFailed("the runner did not say what it is", std::nullopt, output.text());
    }
    const int status = await_end(runner_);
    read_all(runner_.output, output);
    throw RunnerFailed("the runner ended before any case: " + describe_wait_status(status), status,
                       output.text());
  }
  throw RunnerFailed("the runner was not ready in time", std::nullopt, output.text());
}

}  // namespace driver
