// SPDX-License-Identifier: MIT
//
// Decides what became of a case from what was observed. The only place where a pass is given, and
// only for positive evidence: a complete, ordered report that breaks no rule.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/run_log.hpp"
#include "driver/core/verdict.hpp"

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

}  // namespace driver
