// SPDX-License-Identifier: MIT
#include "driver/runner/child.hpp"

#include "driver/runner/exits.hpp"
#include "driver/runner/recorder.hpp"
#include "driver/runner/run.hpp"
#include "driver/sim/blocking.hpp"

#include <array>
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

#if defined(__SANITIZE_ADDRESS__)
#define DRIVER_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DRIVER_SANITIZED
#endif
#endif

#ifdef DRIVER_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

namespace runner {
namespace {

constexpr rlim_t largest_file = 1U << 20U;

Recorder* active_recorder = nullptr;

[[noreturn]] void stop_with(const char* kind, const nlohmann::ordered_json& detail) {
  if (Recorder* recorder = std::exchange(active_recorder, nullptr)) {
    recorder->fatal(kind, detail);
    recorder->end();
    recorder->flush();
  }
  exit_now(1);
}

void on_blocking_call(const char* call) { stop_with("blocked", {{"call", call}}); }

void on_exit_call(const char* call, int code) {
  stop_with("exited", {{"call", call}, {"code", code}});
}

void flush_records() {
  if (active_recorder != nullptr) active_recorder->flush();
}

// The process is about to die of `signal`: what it has observed leaves first.
void on_deadly_signal(int signal) {
  flush_records();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// A stack of their own for signal handlers: the submission's may be what has overflowed. The
// sanitizer has handlers and a stack of its own, and a place for ours in them.
void watch_signals() {
#ifdef DRIVER_SANITIZED
  __sanitizer_set_death_callback(flush_records);
  constexpr std::array signals{SIGABRT, SIGXCPU};
#else
  static std::array<char, 1U << 16U> stack;
  const stack_t handlers{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&handlers, nullptr);
  constexpr std::array signals{SIGABRT, SIGXCPU, SIGSEGV, SIGBUS, SIGFPE,
                               SIGILL,  SIGTRAP, SIGSYS,  SIGXFSZ};
#endif
  struct sigaction action{};
  action.sa_handler = on_deadly_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : signals) ::sigaction(signal, &action, nullptr);
}

void on_flood() { stop_with("livelock", {{"what", "the run makes events for ever"}}); }

std::uint64_t limit_of(const Request& request, const char* name, std::uint64_t otherwise) {
  return request.limits.value(name, otherwise);
}

void set_limit(int resource, rlim_t value, rlim_t hard_value) {
  const rlimit limit{value, hard_value};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

std::uint64_t memory_limit_mb = 0;

constexpr rlim_t memory_for_records = 64U << 20U;

// The record needs memory as well: the soft limit is lifted for it.
void on_out_of_memory() {
  std::set_new_handler(nullptr);
  const rlim_t most = (memory_limit_mb << 20U) + memory_for_records;
  set_limit(RLIMIT_AS, most, most);
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
#ifndef DRIVER_SANITIZED
  const rlim_t memory = memory_limit_mb << 20U;
  set_limit(RLIMIT_AS, memory, memory + memory_for_records);
#endif
  std::set_new_handler(on_out_of_memory);
}

void redirect_output(const Request& request) {
  ::dup2(request.output, STDOUT_FILENO);
  ::dup2(request.error, STDERR_FILENO);
  ::close(request.output);
  ::close(request.error);
}

RunPlan plan_of(const nlohmann::json& payload, const Request& request) {
  return {.schedules = payload.at("schedules").get<std::vector<std::string>>(),
          .steps = payload.at("case").value("steps", limit_of(request, "steps", 200'000)),
          .runs_twice = payload.value("twice", false),
          .tells_choices = payload.value("choices", false)};
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
  Recorder recorder(request.report, request.token);
  active_recorder = &recorder;
  recorder.set_flood_handler(on_flood);
  watch_signals();
  set_exit_handler(on_exit_call);
  sim::set_blocking_handler(on_blocking_call);
  run_under_schedules(payload.at("case"), plan_of(payload, request), recorder);
  active_recorder = nullptr;
  recorder.bye();
  std::fflush(nullptr);
  exit_now(0);
}

}  // namespace runner
