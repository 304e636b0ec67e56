// SPDX-License-Identifier: MIT
//
// Starts the runner's warm parent process (the zygote) and ends it; no protocol beyond the fds.

#pragma once

#include "driver/core/unique_fd.hpp"

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace driver {

/// Gives the environment of a runner: the same everywhere, nothing of the caller's, and sanitizer
/// settings under which a finding is written to stderr and ends the process.
std::vector<std::string> runner_environment();

/// A running zygote: the control socket and what it prints.
struct SpawnedRunner {
  pid_t pid = -1;
  UniqueFd socket;  ///< Our end of a SOCK_SEQPACKET pair, non-blocking; the runner's is its fd 3.
  UniqueFd output;  ///< Both its stdout and its stderr, non-blocking.
};

/// Starts `program` in a process group of its own, with fds 0 to 3 and no others.
/// Errors: std::system_error when it cannot be started.
SpawnedRunner spawn_runner(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment);

/// Closes the socket, which asks the zygote to end; kills its group when it does not within a
/// second; gives its wait status.
int end_runner(SpawnedRunner& runner);

/// Gives the wait status of a zygote that has closed its socket; kills it when it has not ended
/// within a second.
int await_end(SpawnedRunner& runner);

/// Kills the zygote and everything in its process group, and gives its wait status.
int kill_runner(SpawnedRunner& runner);

}  // namespace driver
