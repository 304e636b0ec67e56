// SPDX-License-Identifier: MIT
//
// Decides what became of a case from what was observed. The only place where a pass is given, and
// only for positive evidence: a complete, ordered report that breaks no rule.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/run_log.hpp"
#include "driver/core/verdict.hpp"

#include <string>
#include <vector>

namespace driver {

/// Judges one case: faults and kills first, then what is not implemented, then the rules.
///
/// Shape: the violations with a time come first, in the order of time; `run` is the index of the
/// first run that fails. A verdict that names no rule by itself (a crash, a deadlock) carries one
/// violation under the first of the case's own rules.
/// Errors: none for bad observations: the submission is to blame for them.
Judgement judge(const Exercise& exercise, const Case& test_case, const CaseRun& run);

/// Judges a case that could not be compiled, though the rest of the submission could: the case's
/// first rule is broken, and `why` says how.
Judgement judge_unbuilt(const Case& test_case, const std::string& why);

/// Judges a case that is about what the submission includes: `foreign` has a sentence for each
/// include that is not allowed, each of which breaks the case's first rule.
Judgement judge_includes(const Case& test_case, const std::vector<std::string>& foreign);

}  // namespace driver
