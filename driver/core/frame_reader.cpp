// SPDX-License-Identifier: MIT
//
// The grammar of a report: (begin (ev|choice)* report? fatal? ev* (end|same) differs?)* bye, one
// begin for each schedule; that of a search is (begin ... end)* explored.

#include "driver/core/frame_reader.hpp"

#include "driver/protocol/frame.hpp"

#include <limits>
#include <utility>

namespace driver {
namespace {

/// Whether brackets outside strings nest deeper than `limit`; says nothing about validity.
bool is_deeper(std::string_view text, std::size_t limit) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (in_string) {
      at += letter == '\\' ? 1 : 0;
      in_string = letter != '"';
    } else if (letter == '"') {
      in_string = true;
    } else if (letter == '[' || letter == '{') {
      if (++depth > limit) {
        return true;
      }
    } else if ((letter == ']' || letter == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

bool has_string(const nlohmann::json& record, const char* key) {
  return record.contains(key) && record.at(key).is_string();
}

bool has_number(const nlohmann::json& record, const char* key, std::size_t number) {
  return record.contains(key) && record.at(key).is_number_integer() && record.at(key) == number;
}

/// Whether "t" is a time that the judge can add to without overflow (73 years are enough).
bool has_time(const nlohmann::json& record) {
  constexpr std::int64_t last = std::int64_t{1} << 61;
  return record.contains("t") && record.at("t").is_number_integer() && record.at("t") >= 0 &&
         record.at("t") <= last;
}

nlohmann::json taken(nlohmann::json& record, const char* key) {
  return record.contains(key) ? std::move(record.at(key)) : nlohmann::json::object();
}

}  // namespace

FrameReader::FrameReader(std::uint64_t token, std::vector<std::string> schedules,
                         ReportLimits limits)
    : token_(token), schedules_(std::move(schedules)), limits_(limits) {}

void FrameReader::feed(std::string_view bytes) {
  if (error_ || bytes.empty()) {
    return;
  }
  total_bytes_ += bytes.size();
  if (total_bytes_ > limits_.bytes) {
    fail("the report is longer than " + std::to_string(limits_.bytes) + " bytes");
    return;
  }
  buffer_.append(bytes);
  take_frames();
}

void FrameReader::close() {
  if (!error_ && !buffer_.empty()) {
    fail("the report ends inside a frame");
  }
}

void FrameReader::take_frames() {
  std::string_view rest = buffer_;
  while (!error_) {
    const auto header = protocol::decode_header(rest);
    if (!header) {
      break;
    }
    if (finished_) {
      fail("more data after the last frame");
    } else if (header->token != token_) {
      fail("wrong token");
    } else if (header->sequence != next_sequence_) {
      fail("out of order: its number is " + std::to_string(header->sequence));
    } else if (header->length > protocol::max_frame_bytes) {
      fail("bad length " + std::to_string(header->length));
    } else if (next_sequence_ >= limits_.frames) {
      fail("more than " + std::to_string(limits_.frames) + " frames");
    }
    if (error_ || rest.size() < protocol::header_bytes + header->length) {
      break;
    }
    take_payload(rest.substr(protocol::header_bytes, header->length));
    rest.remove_prefix(protocol::header_bytes + header->length);
    ++next_sequence_;
  }
  buffer_.erase(0, buffer_.size() - rest.size());
}

void FrameReader::take_payload(std::string_view payload) {
  if (is_deeper(payload, limits_.json_depth)) {
    fail("JSON nested too deeply");
    return;
  }
  nlohmann::json record = nlohmann::json::parse(payload, nullptr, false);
  if (!record.is_object() || !has_string(record, "r")) {
    fail(record.is_discarded() ? "no valid JSON" : "no record");
    return;
  }
  take_record(std::move(record));
}

void FrameReader::take_record(nlohmann::json&& record) {
  const std::string kind = record.at("r").get<std::string>();
  if (kind == "begin") {
    begin_run(record);
  } else if (kind == "bye") {
    take_bye(record);
  } else if (kind == "differs") {
    take_differs();
  } else if (kind == "explored") {
    take_explored(record);
  } else if (!in_run_) {
    fail("a record outside a run");
  } else if (kind == "ev") {
    take_event(std::move(record));
  } else if (kind == "report") {
    take_report(std::move(record));
  } else if (kind == "fatal") {
    take_fatal(std::move(record));
  } else if (kind == "end") {
    end_run(record);
  } else if (kind == "same") {
    repeat_run(record);
  } else if (kind == "choice") {
    take_choice(record);
  } else {
    fail("unknown kind of record");
  }
}

bool FrameReader::is_search() const {
  return next_schedule_ < schedules_.size() && schedules_[next_schedule_].starts_with("exhaustive");
}

void FrameReader::begin_run(const nlohmann::json& record) {
  const bool is_named = has_string(record, "schedule") && next_schedule_ < schedules_.size();
  const std::string name = is_named ? record.at("schedule").get<std::string>() : "";
  const bool is_due =
      is_search() ? name.starts_with("path:") : is_named && name == schedules_[next_schedule_];
  const bool is_over = !runs_.empty() && runs_.back().fatal;
  if (in_run_ || is_over || !is_due || !has_number(record, "run", runs_.size())) {
    fail("unexpected begin of a run");
    return;
  }
  runs_.emplace_back().schedule = name;
  next_schedule_ += is_search() ? 0 : 1;
  in_run_ = true;
  has_report_ = false;
}

void FrameReader::take_explored(const nlohmann::json& record) {
  if (in_run_ || !is_search() || runs_.empty()) {
    fail("the end of a search that was not asked for");
    return;
  }
  ++next_schedule_;
  saw_all_ = has_number(record, "all", 1);
}

void FrameReader::take_differs() {
  if (in_run_ || runs_.empty()) {
    fail("a comparison without a run");
    return;
  }
  runs_.back().is_repeatable = false;
}

void FrameReader::take_choice(const nlohmann::json& record) {
  const auto number_of = [&record](const char* key) -> std::optional<std::uint32_t> {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (!record.contains(key) || !record.at(key).is_number_unsigned() || record.at(key) > most) {
      return std::nullopt;
    }
    return record.at(key).get<std::uint32_t>();
  };
  const auto place = number_of("place");
  const auto index = number_of("index");
  if (!place || !index || !runs_.back().choices.emplace(*place, *index).second) {
    fail("a choice without its place and index");
  }
}

void FrameReader::take_event(nlohmann::json&& record) {
  if (!has_string(record, "ev") || !has_time(record)) {
    fail("an event without time or name");
    return;
  }
  Event event;
  event.time_ns = record.at("t").get<std::int64_t>();
  event.name = record.at("ev").get<std::string>();
  if (!runs_.back().events.empty() && event.time_ns < runs_.back().events.back().time_ns) {
    fail("time runs backwards");
    return;
  }
  for (const char* key : {"r", "t", "ev"}) {
    record.erase(key);
  }
  event.fields = std::move(record);
  runs_.back().events.push_back(std::move(event));
}

void FrameReader::take_report(nlohmann::json&& record) {
  RunLog& run = runs_.back();
  run.report = taken(record, "report");
  run.observed = taken(record, "observed");
  if (has_report_ || !run.report.is_object() || !run.observed.is_object()) {
    fail("unexpected report");
  }
  has_report_ = true;
}

void FrameReader::take_fatal(nlohmann::json&& record) {
  RunLog& run = runs_.back();
  if (!has_string(record, "kind") || run.fatal) {
    fail("unexpected fatal record");
    return;
  }
  run.fatal =
      Fatal{.kind = record.at("kind").get<std::string>(), .detail = taken(record, "detail")};
}

void FrameReader::end_run(const nlohmann::json& record) {
  RunLog& run = runs_.back();
  if (!has_number(record, "run", runs_.size() - 1) ||
      !has_number(record, "events", run.events.size())) {
    fail("the end of a run does not fit its events");
    return;
  }
  run.complete = has_report_;
  in_run_ = false;
}

void FrameReader::repeat_run(const nlohmann::json& record) {
  RunLog& run = runs_.back();
  const auto earlier = record.find("as");
  const bool is_number = earlier != record.end() && earlier->is_number_unsigned();
  const std::size_t number = is_number ? earlier->get<std::size_t>() : runs_.size();
  if (number + 1 >= runs_.size() || runs_[number].same_as || !run.events.empty() || run.fatal) {
    fail("a run repeats one that is not there");
    return;
  }
  run.same_as = number;
  run.complete = true;
  in_run_ = false;
}

void FrameReader::take_bye(const nlohmann::json& record) {
  const bool is_cut_short = !runs_.empty() && runs_.back().fatal;
  bool all_complete = !in_run_ && (is_cut_short || next_schedule_ == schedules_.size());
  for (const RunLog& run : runs_) {
    all_complete = all_complete && (run.complete || run.fatal);
  }
  if (!all_complete || !has_number(record, "runs", runs_.size())) {
    fail("bye before the last run was complete");
    return;
  }
  finished_ = true;
}

void FrameReader::fail(const std::string& what) {
  error_ = "frame " + std::to_string(next_sequence_) + ": " + what;
}

}  // namespace driver
