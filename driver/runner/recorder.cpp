// SPDX-License-Identifier: MIT
#include "driver/runner/recorder.hpp"

#include "driver/protocol/frame.hpp"
#include "driver/sim/virtual_clock.hpp"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

// As much as a pipe holds: more would have to wait for the reader in any case.
constexpr std::size_t most_ready_bytes = 1U << 16U;

// Many times what the longest case gives.
constexpr std::size_t most_events = 100'000;

// Student bytes may be no UTF-8; what is not is replaced.
std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void append_text(std::string& payload, std::string_view text) {
  if (is_plain(text)) {
    payload.append("\"").append(text).append("\"");
  } else {
    payload += dump(Json(std::string(text)));
  }
}

void append_field(std::string& payload, const Field& field) {
  payload.append(",\"").append(field.key).append("\":");
  if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
    payload += std::to_string(*number);
  } else {
    append_text(payload, std::get<std::string_view>(field.value));
  }
}

// A record of plain fields.
std::string record_of(std::string_view kind, std::initializer_list<Field> fields) {
  std::string payload = "{\"r\":";
  append_text(payload, kind);
  for (const Field& field : fields) append_field(payload, field);
  return payload += '}';
}

std::int64_t number(std::size_t value) { return static_cast<std::int64_t>(value); }

// FNV-1a, 64 bits. Source: Fowler, Noll, Vo.
constexpr std::uint64_t empty_digest = 0xcbf29ce484222325U;

std::uint64_t mix(std::uint64_t digest, std::string_view bytes) {
  for (const char byte : bytes) {
    digest = (digest ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  return digest;
}

}  // namespace

void Recorder::begin(const std::string& schedule) {
  events_ = 0;
  digest_ = empty_digest;
  emit(record_of("begin", {{"run", number(runs_)}, {"schedule", std::string_view(schedule)}}));
}

void Recorder::begin_again() {
  is_again_ = true;
  digest_ = empty_digest;
}

void Recorder::choice(std::uint32_t place, std::uint32_t index) {
  keep(record_of("choice", {{"place", std::int64_t{place}}, {"index", std::int64_t{index}}}));
}

void Recorder::event(std::string_view name, std::initializer_list<Field> fields) {
  std::string payload = "{\"r\":\"ev\"";
  append_field(payload, {"t", sim::clock::now_ns()});
  append_field(payload, {"ev", name});
  for (const Field& field : fields) append_field(payload, field);
  payload += '}';
  keep(std::move(payload));
  if (!is_again_) ++events_;
  if (events_ == most_events && flood_handler_) flood_handler_();
}

void Recorder::report(const Json& report, const Json& observed, bool follows_from_events) {
  const std::uint64_t before = digest_;
  keep(dump(Json{{"r", "report"}, {"report", report}, {"observed", observed}}));
  if (follows_from_events) digest_ = before;
}

void Recorder::fatal(std::string_view kind, const Json& detail) {
  has_fatal_ = true;
  keep(dump(Json{{"r", "fatal"}, {"kind", std::string(kind)}, {"detail", detail}}));
}

void Recorder::end() {
  if (is_again_) {
    is_again_ = false;
    if (digest_ != last_digest_) emit(record_of("differs", {}));
    return;
  }
  last_digest_ = digest_;
  if (const auto earlier = find_earlier()) {
    emit(record_of("same", {{"as", number(*earlier)}}));
  } else {
    for (const std::string& payload : kept_) emit(payload);
    earlier_.emplace(digest_, runs_);
    emit(record_of("end", {{"run", number(runs_)}, {"events", number(events_)}}));
  }
  kept_.clear();
  ++runs_;
}

void Recorder::explored(bool all) { emit(record_of("explored", {{"all", std::int64_t{all}}})); }

void Recorder::bye() {
  emit(record_of("bye", {{"runs", number(runs_)}}));
  flush();
}

void Recorder::flush() {
  if (is_busy_) return;
  write_out(ready_);
  ready_.clear();
  for (const std::string& payload : kept_) {
    const protocol::HeaderBytes header =
        protocol::encode_header({.length = static_cast<std::uint32_t>(payload.size()),
                                 .sequence = sequence_++,
                                 .token = token_});
    write_out({header.data(), header.size()});
    write_out(payload);
  }
  kept_.clear();
}

std::optional<std::size_t> Recorder::find_earlier() const {
  const auto found = earlier_.find(digest_);
  if (found == earlier_.end()) return std::nullopt;
  return found->second;
}

void Recorder::keep(std::string payload) {
  is_busy_ = true;
  digest_ = mix(digest_, payload);
  if (!is_again_) kept_.push_back(std::move(payload));
  is_busy_ = false;
}

void Recorder::emit(std::string_view payload) {
  is_busy_ = true;
  ready_ += protocol::encode_frame(sequence_++, token_, payload);
  if (ready_.size() >= most_ready_bytes) {
    write_out(ready_);
    ready_.clear();
  }
  is_busy_ = false;
}

void Recorder::write_out(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return;  // the parent has gone, or closed its ears
    bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
}

}  // namespace runner
