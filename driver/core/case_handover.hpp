// SPDX-License-Identifier: MIT
//
// What is handed to a runner with a case: the case in an anonymous file, pipes to report and print
// on, and a secret that marks the frames as the runner's own.

#pragma once

#include "driver/core/unique_fd.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace driver {

/// A pipe whose read end does not block.
struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

/// Errors: std::system_error, as for the other functions here but the last.
Pipe make_pipe();

/// Gives a file in memory that holds `text`, ready to be read from its beginning.
UniqueFd make_payload(const std::string& text);

/// Gives a number that nobody can guess.
std::uint64_t random_token();

/// Sends one packet with four descriptors; false when nobody is there to take it.
bool send_with_fds(int socket, std::string text, std::array<int, 4> fds);

}  // namespace driver
