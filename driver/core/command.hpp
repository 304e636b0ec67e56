// SPDX-License-Identifier: MIT
//
// One program run to its end, with limits on its time, memory, files and output. No shell.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace driver {

/// How long a command may take, and how much of what it prints is kept.
struct CommandLimits {
  std::chrono::milliseconds time = std::chrono::seconds(120);
  std::size_t kept_output = 128U << 10U;
};

/// How a command ended.
///
/// Shape: `output` is stdout and stderr as they came, capped, as valid UTF-8.
struct CommandResult {
  int wait_status = 0;
  bool timed_out = false;
  std::string output;

  bool is_success() const { return wait_status == 0 && !timed_out; }
};

/// Runs `arguments` (the program's path first) in `folder`, with nothing on stdin and an
/// environment of PATH, LC_ALL and TMPDIR alone. Its process group is killed at its end.
/// Errors: GraderFault when the program cannot be started.
CommandResult run_command(const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder, const CommandLimits& limits = {});

/// Gives a descriptor that becomes readable when the process ends, or -1 with errno set.
int process_descriptor(pid_t process);

}  // namespace driver
