// SPDX-License-Identifier: MIT
//
// confine: runs a program that compiles or runs a submission, with limits on what it may use, and
// where the kernel can, without the files and processes that are none of its business. What the
// kernel cannot do is left out; `ol doctor` says so.
//
//   confine [--memory BYTES] [--file BYTES] [--processes] [--read PATH]... [--write PATH]... --
//   PROGRAM ARGUMENT...
//
// It is a program of its own because all this has to happen between fork and exec, where a process
// with threads may hardly do anything.

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int cannot_start = 127;

struct Plan {
  rlim_t memory = 0;
  rlim_t file = 0;
  bool hides_processes = false;
  std::vector<const char*> readable;
  std::vector<const char*> writable;
  char** program = nullptr;
};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "confine: %s: %s\n", what, std::strerror(errno));
  std::_Exit(cannot_start);
}

void limit(int resource, rlim_t most) {
  const rlimit value{most, most};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &value);
}

// The newest form of the ruleset; an older kernel takes the beginning of it. Debian 12's header
// does not know the last two fields.
struct Ruleset {
  std::uint64_t files;
  std::uint64_t ports;
  std::uint64_t scopes;
};

constexpr int knows_refer = 2;
constexpr int knows_truncate = 3;
constexpr int knows_scopes = 6;
constexpr std::uint64_t all_rights_at_first = (1ULL << 13U) - 1;
constexpr std::uint64_t refer_right = 1ULL << 13U;
constexpr std::uint64_t truncate_right = 1ULL << 14U;
constexpr std::uint64_t signals_and_sockets = 3;
constexpr std::uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t rights_on_a_file = LANDLOCK_ACCESS_FS_EXECUTE |
                                           LANDLOCK_ACCESS_FS_READ_FILE |
                                           LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_right;

void allow(int ruleset, const char* path, std::uint64_t rights) {
  const int place = ::open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return;  // it is not there, so nobody can read it either
  landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = place};
  if (::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    rule.allowed_access = rights & rights_on_a_file;  // not a folder
    ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  ::close(place);
}

// Landlock: of the file system only what the plan names, and signals only to processes inside.
void hide_files(const Plan& plan) {
  const auto version = static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
  if (version < 1 || (plan.readable.empty() && plan.writable.empty())) return;
  Ruleset rules{.files = all_rights_at_first, .ports = 0, .scopes = 0};
  if (version >= knows_refer) rules.files |= refer_right;
  if (version >= knows_truncate) rules.files |= truncate_right;
  if (version >= knows_scopes) rules.scopes = signals_and_sockets;
  const std::size_t size = version >= knows_scopes ? sizeof rules : sizeof rules.files;
  const auto ruleset = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0));
  if (ruleset < 0) fail("landlock_create_ruleset");
  for (const char* path : plan.readable) allow(ruleset, path, rules.files & reading);
  for (const char* path : plan.writable) allow(ruleset, path, rules.files);
  if (::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) fail("landlock_restrict_self");
  ::close(ruleset);
}

void write_text(const char* file, const std::string& text) {
  const int descriptor = ::open(file, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  [[maybe_unused]] const ssize_t count = ::write(descriptor, text.data(), text.size());
  ::close(descriptor);
}

// A place for processes of its own, which all end with its first; without privileges it takes a
// user namespace as well. False where the kernel does not allow it.
bool make_process_space() {
  if (::unshare(CLONE_NEWPID) == 0) return true;
  const std::string user = std::to_string(::geteuid());
  const std::string group = std::to_string(::getegid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) return false;
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", user + " " + user + " 1");
  write_text("/proc/self/gid_map", group + " " + group + " 1");
  return true;
}

// Waits for the program and ends as it did.
[[noreturn]] void end_like(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    std::raise(WTERMSIG(status));
  }
  std::_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : cannot_start);
}

Plan read_plan(char** arguments) {
  Plan plan;
  char** argument = arguments + 1;
  const auto value = [&argument] {
    if (argument[1] == nullptr) {
      errno = EINVAL;
      fail(*argument);
    }
    return *++argument;
  };
  for (; *argument != nullptr && std::string_view(*argument) != "--"; ++argument) {
    const std::string_view option = *argument;
    if (option == "--memory") {
      plan.memory = std::strtoull(value(), nullptr, 10);
    } else if (option == "--file") {
      plan.file = std::strtoull(value(), nullptr, 10);
    } else if (option == "--processes") {
      plan.hides_processes = true;
    } else if (option == "--read") {
      plan.readable.push_back(value());
    } else if (option == "--write") {
      plan.writable.push_back(value());
    } else {
      errno = EINVAL;
      fail(*argument);
    }
  }
  if (*argument == nullptr || argument[1] == nullptr) {
    errno = EINVAL;
    fail("no program after --");
  }
  plan.program = argument + 1;
  return plan;
}

}  // namespace

int main(int /*count*/, char** arguments) {
  const Plan plan = read_plan(arguments);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nothing outlives the check
  if (plan.hides_processes && make_process_space()) {
    const pid_t child = ::fork();
    if (child < 0) fail("fork");
    if (child > 0) {
      // The descriptors are the program's: who waits for their end waits for it, not for us.
      ::syscall(SYS_close_range, 0U, ~0U, 0U);
      end_like(child);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
  limit(RLIMIT_CORE, 0);
  if (plan.file > 0) limit(RLIMIT_FSIZE, plan.file);
  if (plan.memory > 0) limit(RLIMIT_AS, plan.memory);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs");
  hide_files(plan);
  ::execv(plan.program[0], plan.program);
  fail(plan.program[0]);
}
