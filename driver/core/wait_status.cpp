// SPDX-License-Identifier: MIT
//
// Signal names come from the C library.

#include "driver/core/wait_status.hpp"

#include <string.h>
#include <sys/wait.h>

namespace driver {

std::string describe_wait_status(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const char* name = ::sigabbrev_np(signal);
    return "killed by signal " + std::to_string(signal) +
           (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
  }
  return "exit status " + std::to_string(WEXITSTATUS(wait_status));
}

}  // namespace driver
