// SPDX-License-Identifier: MIT
// What the runner observes, as frames on the report pipe. The runner never judges: it reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace runner {

/// One field of an event.
struct Field {
  const char* key;
  std::variant<std::int64_t, std::string_view> value;
};

/// Writes the records of one case.
/// Lifetime: writes at once, so that a crash loses nothing that happened before it.
class Recorder {
 public:
  Recorder(int fd, std::uint64_t token) : fd_(fd), token_(token) {}

  /// Starts a run under a schedule.
  void begin(std::size_t run, const std::string& schedule);

  /// Notes that `name` happens at this virtual instant.
  void event(std::string_view name, std::initializer_list<Field> fields = {});

  /// The report with the keys of the exercise's text, and what the text leaves out.
  void report(const nlohmann::ordered_json& report, const nlohmann::ordered_json& observed);

  /// Why the run cannot go on.
  void fatal(std::string_view kind, const nlohmann::ordered_json& detail);

  void end();
  void bye();

 private:
  void write(std::string_view payload);

  int fd_;
  std::uint64_t token_;
  std::uint32_t sequence_ = 0;
  std::size_t run_ = 0;
  std::size_t runs_ = 0;
  std::size_t events_ = 0;
};

}  // namespace runner
