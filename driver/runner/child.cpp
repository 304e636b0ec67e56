// SPDX-License-Identifier: MIT
#include "driver/runner/child.hpp"

#include "driver/runner/exits.hpp"
#include "driver/runner/recorder.hpp"
#include "driver/runner/run.hpp"
#include "driver/sim/blocking.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <signal.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace runner {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

constexpr rlim_t largest_file = 1U << 20U;

Recorder* active_recorder = nullptr;

[[noreturn]] void stop_with(const char* kind, const nlohmann::ordered_json& detail) {
  if (Recorder* recorder = std::exchange(active_recorder, nullptr)) {
    recorder->fatal(kind, detail);
    recorder->end();
  }
  exit_now(1);
}

void on_blocking_call(const char* call) { stop_with("blocked", {{"call", call}}); }

void on_exit_call(const char* call, int code) {
  stop_with("exited", {{"call", call}, {"code", code}});
}

std::uint64_t limit_of(const Request& request, const char* name, std::uint64_t otherwise) {
  return request.limits.value(name, otherwise);
}

void set_limit(int resource, rlim_t value, rlim_t hard_value) {
  const rlimit limit{value, hard_value};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

std::uint64_t memory_limit_mb = 0;

// The record needs memory as well: the soft limit is lifted for it.
void on_out_of_memory() {
  std::set_new_handler(nullptr);
  set_limit(RLIMIT_AS, RLIM_INFINITY, RLIM_INFINITY);
  stop_with("memory", {{"limit_mb", memory_limit_mb}});
}

// An address-space limit would break the sanitizer, which reserves terabytes.
void set_limits(const Request& request) {
  // The soft limit ends the process with SIGXCPU, which says why; the hard one would not.
  const rlim_t cpu_seconds = limit_of(request, "cpu_seconds", 10);
  set_limit(RLIMIT_CPU, cpu_seconds, cpu_seconds + 1);
  set_limit(RLIMIT_CORE, 0, 0);
  set_limit(RLIMIT_FSIZE, largest_file, largest_file);
  memory_limit_mb = limit_of(request, "memory_mb", 1024);
  const rlim_t memory = memory_limit_mb << 20U;
  if (!is_sanitized) set_limit(RLIMIT_AS, memory, RLIM_INFINITY);
  std::set_new_handler(on_out_of_memory);
}

void redirect_output(const Request& request) {
  ::dup2(request.output, STDOUT_FILENO);
  ::dup2(request.error, STDERR_FILENO);
  ::close(request.output);
  ::close(request.error);
}

std::string read_all(int fd) {
  struct stat status{};
  ::fstat(fd, &status);
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count =
        ::pread(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  ::close(fd);
  return text;
}

}  // namespace

void run_child(const Request& request) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  redirect_output(request);
  set_limits(request);
  const nlohmann::json payload = nlohmann::json::parse(read_all(request.payload));
  const nlohmann::json& schedules = payload.at("schedules");
  const Delivery delivery = schedules.size() > 1 ? Delivery::by_run : Delivery::at_once;
  Recorder recorder(request.report, request.token, delivery);
  active_recorder = &recorder;
  set_exit_handler(on_exit_call);
  sim::set_blocking_handler(on_blocking_call);
  std::size_t index = 0;
  for (const nlohmann::json& schedule : schedules) {
    run_under_schedule(payload.at("case"), index++, schedule.get<std::string>(),
                       limit_of(request, "steps", 200'000), recorder);
  }
  active_recorder = nullptr;
  recorder.bye();
  std::fflush(nullptr);
  exit_now(0);
}

}  // namespace runner
