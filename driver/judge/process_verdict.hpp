// SPDX-License-Identifier: MIT
//
// The verdicts that need no knowledge of an exercise: how the process ended, and what the runner
// said about a run that could not go on.

#pragma once

#include "driver/core/run_log.hpp"
#include "driver/core/verdict.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace driver {

/// Gives the verdict when the process did not end as it should, or a run could not go on; none when
/// every run is complete and can be judged by its observations.
///
/// A kill is told before what was reported, and a crash before what the runner could still say: the
/// order is output limit, time limit, memory, crash, tampering, exited, deadlock, livelock,
/// blocked, not implemented.
std::optional<Judgement> judge_process(const CaseRun& run);

/// Gives the verdict on records that cannot be right: somebody else than the runner had a hand in
/// them, and only the submission shares its process.
Judgement tampering(const std::string& what, std::size_t run);

/// Gives the sanitizer's summary in `text`, without folders and addresses; "" when there is none.
std::string sanitizer_summary(std::string_view text);

}  // namespace driver
