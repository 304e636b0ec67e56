// SPDX-License-Identifier: MIT
//
// posix_spawn, then a wait on the pipe and on the process at once: a grandchild that keeps the
// pipe open does not keep us.

#include "driver/core/command.hpp"

#include "driver/core/capture.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/unique_fd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace driver {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) {
    result.push_back(word.data());
  }
  result.push_back(nullptr);
  return result;
}

/// Attributes and file actions of one spawn.
class SpawnPlan {
 public:
  SpawnPlan(const fs::path& folder, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, 1);
    posix_spawn_file_actions_adddup2(&actions_, output, 2);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  pid_t start(std::vector<std::string> arguments, const fs::path& folder) const {
    std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8",
                                         "TMPDIR=" + folder.string()};
    pid_t pid = -1;
    const int failed = ::posix_spawn(&pid, arguments.front().c_str(), &actions_, &attributes_,
                                     pointers(arguments).data(), pointers(environment).data());
    if (failed != 0) {
      throw GraderFault(arguments.front() + " cannot be started: " + std::strerror(failed));
    }
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Reads what is there; false at the end of the stream.
bool read_some(int fd, Capture& output) {
  std::array<char, 1U << 14U> buffer{};
  while (true) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got > 0) {
      output.add({buffer.data(), static_cast<std::size_t>(got)});
    } else if (got == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

/// Takes in the output until the process has ended; false when the deadline came first.
bool await(int process, int pipe, Clock::time_point deadline, Capture& output) {
  std::array<pollfd, 2> watched{{{process, POLLIN, 0}, {pipe, POLLIN, 0}}};
  while (Clock::now() < deadline) {
    const int ready = ::poll(watched.data(), watched.size(), milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR) {
      throw GraderFault(std::string("poll: ") + std::strerror(errno));
    }
    if (ready > 0 && watched[1].revents != 0 && !read_some(pipe, output)) {
      watched[1].fd = -1;
    }
    if (ready > 0 && watched[0].revents != 0) {
      read_some(pipe, output);
      return true;
    }
  }
  return false;
}

int reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

// The C library of Debian 12 declares pidfd_open() without extern "C".
int process_descriptor(pid_t process) {
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
}

CommandResult run_command(const std::vector<std::string>& arguments, const fs::path& folder,
                          const CommandLimits& limits) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw GraderFault(std::string("pipe: ") + std::strerror(errno));
  }
  const UniqueFd reading(ends[0]);
  UniqueFd writing(ends[1]);
  ::fcntl(reading.get(), F_SETFL, O_NONBLOCK);
  const pid_t pid = SpawnPlan(folder, writing.get()).start(arguments, folder);
  writing.reset();
  const UniqueFd process(process_descriptor(pid));
  Capture output(limits.kept_output);
  CommandResult result;
  result.timed_out = !await(process.get(), reading.get(), Clock::now() + limits.time, output);
  // Before the reaping, so that the group's number still belongs to it.
  ::kill(-pid, SIGKILL);
  result.wait_status = reap(pid);
  result.output = output.text();
  return result;
}

}  // namespace driver
