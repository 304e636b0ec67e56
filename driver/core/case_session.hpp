// SPDX-License-Identifier: MIT
//
// One case in one child: hands over the descriptors, listens until the child has ended, and gives
// what was seen. Never waits for a descriptor that a grandchild may keep open.

#pragma once

#include "driver/core/capture.hpp"
#include "driver/core/frame_reader.hpp"
#include "driver/core/process.hpp"
#include "driver/core/run_log.hpp"
#include "driver/core/unique_fd.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace driver {

/// The listening side of one case.
class CaseSession {
 public:
  CaseSession(SpawnedRunner& runner, const RunnerOptions& options, std::uint64_t id,
              const RunRequest& request);

  /// Sends the case to the runner; false when the runner is not there any more.
  bool send(const nlohmann::json& case_data);

  /// Listens until the child has ended, or had to be killed.
  CaseRun listen();

  /// Whether the runner did anything with the case, or was lost before it could.
  bool was_started() const { return child_ > 0 || !lost_runner_; }

 private:
  struct Stream {
    UniqueFd fd;
    Capture capture;
  };

  void poll_once();
  void look_for_sleep();
  void read_packet();
  void take_packet(std::string_view text, const UniqueFd& handle);
  void read_report();
  void read_output(Stream& stream);
  void drain();
  void ask_to_end();
  void kill_child();
  void signal_child(int signal);
  void lose_runner(const std::string& why);
  void lose_runner(const std::string& why, int status);
  CaseRun result();

  SpawnedRunner& runner_;
  const RunnerOptions& options_;
  const RunRequest& request_;
  std::uint64_t id_;
  std::uint64_t token_;
  FrameReader reader_;
  UniqueFd report_;
  Stream stdout_;
  Stream stderr_;
  Capture runner_output_;
  CaseRun run_;
  std::chrono::steady_clock::time_point deadline_;
  pid_t child_ = -1;
  std::uint64_t last_ticks_ = 0;
  int idle_samples_ = 0;
  bool kill_asked_ = false;
  bool ended_ = false;
  bool lost_runner_ = false;
};

}  // namespace driver
