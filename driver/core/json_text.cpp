// SPDX-License-Identifier: MIT
//
// A SAX reader in front of nlohmann's own, which keeps count and knows where it is.

#include "driver/core/json_text.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/text_file.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace driver {
namespace {

using nlohmann::json;

/// Refuses what is too much, or ambiguous, while the parser runs.
class Guard {
 public:
  Guard(const std::string& file, const JsonLimits& limits) : file_(file), limits_(limits) {}

  bool see(int /*depth*/, json::parse_event_t event, json& value) {
    using Seen = json::parse_event_t;
    switch (event) {
      case Seen::object_start:
      case Seen::array_start:
        open(event == Seen::object_start);
        break;
      case Seen::object_end:
      case Seen::array_end:
        levels_.pop_back();
        break;
      case Seen::key:
        take_key(value.get_ref<const std::string&>());
        break;
      case Seen::value:
        count();
        break;
    }
    return true;
  }

 private:
  struct Level {
    bool is_object = false;
    std::size_t index = 0;
    std::string key;
    std::set<std::string> keys;
  };

  void count() {
    if (++values_ > limits_.values) {
      refuse("more than " + std::to_string(limits_.values) + " values");
    }
    if (!levels_.empty()) {
      ++levels_.back().index;
    }
  }

  void open(bool is_object) {
    count();
    if (levels_.size() >= limits_.depth) {
      refuse("nested more than " + std::to_string(limits_.depth) + " levels deep");
    }
    levels_.push_back({.is_object = is_object, .index = 0, .key = {}, .keys = {}});
  }

  void take_key(const std::string& key) {
    Level& level = levels_.back();
    if (!level.keys.insert(key).second) {
      refuse("the key " + in_quotes(key) + " occurs twice in " + where());
    }
    level.key = key;
  }

  /// The pointer of the object that is being read.
  std::string where() const {
    std::string pointer;
    for (std::size_t depth = 0; depth + 1 < levels_.size(); ++depth) {
      const Level& level = levels_[depth];
      pointer += pointer_step(level.is_object ? level.key : std::to_string(level.index - 1));
    }
    return pointer.empty() ? "the top level" : printable(pointer);
  }

  [[noreturn]] void refuse(const std::string& what) const { throw BadInput(file_ + ": " + what); }

  const std::string& file_;
  const JsonLimits& limits_;
  std::size_t values_ = 0;
  std::vector<Level> levels_;
};

/// Line and column of a byte, both from 1.
std::string position(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// What the parser found wrong, without its own prefix and position.
std::string complaint(const std::string& what) {
  const std::size_t reason = what.find("syntax error while parsing");
  const std::size_t dash = what.find(" - ");
  if (reason != std::string::npos && dash != std::string::npos) {
    return what.substr(dash + 3);
  }
  const std::size_t bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

}  // namespace

json parse_json(std::string_view text, const std::string& file, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    throw BadInput(file + ": is larger than " + std::to_string(limits.bytes) + " bytes");
  }
  Guard guard(file, limits);
  try {
    return json::parse(text, [&guard](int depth, json::parse_event_t event, json& value) {
      return guard.see(depth, event, value);
    });
  } catch (const json::parse_error& error) {
    throw BadInput(file + ": is not JSON, at " + position(text, error.byte) + ": " +
                   printable(complaint(error.what())));
  } catch (const json::exception& error) {
    throw BadInput(file + ": is not JSON: " + printable(complaint(error.what())));
  }
}

json read_json(const std::filesystem::path& path, const JsonLimits& limits) {
  return parse_json(read_file(path, limits.bytes), printable(path.string()), limits);
}

std::string pointer_step(std::string_view key) {
  std::string step = "/";
  for (const char letter : key) {
    step += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
  }
  return step;
}

std::string brief(const json& value) {
  constexpr std::size_t longest = 120;
  if (value.is_structured() && value.size() > longest) {
    return std::string(value.is_array() ? "an array" : "an object") + " of " +
           std::to_string(value.size()) + (value.is_array() ? " entries" : " keys");
  }
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return printable(text, longest);
}

}  // namespace driver
