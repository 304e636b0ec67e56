// SPDX-License-Identifier: MIT
//
// posix_spawn, because the driver may be large and have threads by the time it starts a runner.

#include "driver/core/runner_spawn.hpp"

#include "driver/core/command.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace driver {
namespace {

constexpr int control_fd = 3;

void check(int error, const char* what) {
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), what);
  }
}

/// Moves a descriptor above those that the child's dup2 calls overwrite.
UniqueFd above_control(int fd) {
  UniqueFd original(fd);
  UniqueFd moved(::fcntl(fd, F_DUPFD_CLOEXEC, control_fd + 1));
  check(moved.is_open() ? 0 : errno, "fcntl");
  return moved;
}

struct Pair {
  UniqueFd ours;
  UniqueFd theirs;
};

Pair control_sockets() {
  int fds[2] = {-1, -1};
  check(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) == 0 ? 0 : errno,
        "socketpair");
  UniqueFd ours(fds[0]);
  UniqueFd theirs = above_control(fds[1]);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  return {std::move(ours), std::move(theirs)};
}

Pair output_pipe() {
  int fds[2] = {-1, -1};
  check(::pipe2(fds, O_CLOEXEC) == 0 ? 0 : errno, "pipe2");
  UniqueFd ours(fds[0]);
  UniqueFd theirs = above_control(fds[1]);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  return {std::move(ours), std::move(theirs)};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) {
    result.push_back(text.data());
  }
  result.push_back(nullptr);
  return result;
}

class FileActions {
 public:
  FileActions(int output, int socket) {
    check(::posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, output, 2);
    ::posix_spawn_file_actions_adddup2(&actions_, socket, control_fd);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, control_fd + 1);
  }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// Own process group, every signal at its default and unblocked.
class Attributes {
 public:
  Attributes() {
    check(::posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::vector<std::string> runner_environment() {
  return {"LC_ALL=C.UTF-8", "TZ=UTC", "PATH=/usr/bin:/bin",
          "ASAN_OPTIONS=color=never:detect_leaks=0:exitcode=86:abort_on_error=0",
          "UBSAN_OPTIONS=color=never:halt_on_error=1:print_stacktrace=1:exitcode=86"};
}

SpawnedRunner spawn_runner(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment) {
  Pair control = control_sockets();
  Pair output = output_pipe();
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment;
  const FileActions actions(output.theirs.get(), control.theirs.get());
  const Attributes attributes;
  pid_t pid = -1;
  check(::posix_spawn(&pid, program.c_str(), actions.get(), attributes.get(),
                      pointers(words).data(), pointers(variables).data()),
        "cannot start the runner");
  return {.pid = pid, .socket = std::move(control.ours), .output = std::move(output.ours)};
}

int end_runner(SpawnedRunner& runner) {
  constexpr int patience_ms = 1000;
  ::shutdown(runner.socket.get(), SHUT_WR);
  pollfd socket = {.fd = runner.socket.get(), .events = 0, .revents = 0};
  while (::poll(&socket, 1, patience_ms) < 0 && errno == EINTR) {
  }
  if ((socket.revents & POLLHUP) == 0) {
    return kill_runner(runner);
  }
  runner.socket.reset();
  return wait_for(std::exchange(runner.pid, -1));
}

int await_end(SpawnedRunner& runner) {
  constexpr int patience_ms = 1000;
  const UniqueFd process(process_descriptor(runner.pid));
  pollfd ended = {.fd = process.get(), .events = POLLIN, .revents = 0};
  while (::poll(&ended, 1, patience_ms) < 0 && errno == EINTR) {
  }
  return kill_runner(runner);  // what has ended before keeps its status
}

int kill_runner(SpawnedRunner& runner) {
  // The zygote is not reaped yet, so neither its number nor its group's can belong to another.
  ::kill(-runner.pid, SIGKILL);
  ::kill(runner.pid, SIGKILL);
  runner.socket.reset();
  return wait_for(std::exchange(runner.pid, -1));
}

}  // namespace driver
