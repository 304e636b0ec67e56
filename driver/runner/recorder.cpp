// SPDX-License-Identifier: MIT
#include "driver/runner/recorder.hpp"

#include <unistd.h>

#include <cerrno>

#include "driver/protocol/frame.hpp"
#include "driver/sim/virtual_clock.hpp"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

// Student bytes may be no UTF-8; what is not is replaced.
std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_field(std::string& payload, const Field& field) {
  payload += ",\"";
  payload += field.key;
  payload += "\":";
  if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
    payload += std::to_string(*number);
  } else {
    payload += dump(Json(std::string(std::get<std::string_view>(field.value))));
  }
}

}  // namespace

void Recorder::begin(std::size_t run, const std::string& schedule) {
  run_ = run;
  events_ = 0;
  write(dump(Json{{"r", "begin"}, {"run", run}, {"schedule", schedule}}));
}

void Recorder::event(std::string_view name, std::initializer_list<Field> fields) {
  std::string payload = "{\"r\":\"ev\",\"t\":" + std::to_string(sim::clock::now_ns());
  append_field(payload, {"ev", name});
  for (const Field& field : fields) append_field(payload, field);
  payload += '}';
  ++events_;
  write(payload);
}

void Recorder::report(const Json& report, const Json& observed) {
  write(dump(Json{{"r", "report"}, {"report", report}, {"observed", observed}}));
}

void Recorder::fatal(std::string_view kind, const Json& detail) {
  write(dump(Json{{"r", "fatal"}, {"kind", std::string(kind)}, {"detail", detail}}));
}

void Recorder::end() {
  ++runs_;
  write(dump(Json{{"r", "end"}, {"run", run_}, {"events", events_}}));
}

void Recorder::bye() { write(dump(Json{{"r", "bye"}, {"runs", runs_}})); }

void Recorder::write(std::string_view payload) {
  const std::string frame = protocol::encode_frame(sequence_++, token_, payload);
  for (std::size_t done = 0; done < frame.size();) {
    const ssize_t count = ::write(fd_, frame.data() + done, frame.size() - done);
    if (count < 0 && errno != EINTR) return;  // the parent has gone, or closed its ears
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

}  // namespace runner
