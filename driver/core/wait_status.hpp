// SPDX-License-Identifier: MIT
//
// How a process ended, in words.

#pragma once

#include <string>

namespace driver {

/// Gives a wait status in words: "exit status 3", "killed by signal 11 (SIGSEGV)".
std::string describe_wait_status(int wait_status);

}  // namespace driver
