// SPDX-License-Identifier: MIT
#include "driver/core/includes.hpp"

#include "driver/core/escape.hpp"
#include "driver/core/submission.hpp"
#include "driver/core/text_file.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace driver {
namespace {

/// Walks through C++ source, literal by literal and comment by comment.
class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Include> includes() {
    while (at_ < source_.size()) {
      if (is_line_empty_so_far_ && source_[at_] == '#') {
        read_directive();
      } else {
        step();
      }
    }
    return std::move(includes_);
  }

 private:
  bool starts(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  void skip_to(std::size_t end) {
    end = std::min(end, source_.size());
    line_ += static_cast<std::size_t>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 source_.begin() + static_cast<std::ptrdiff_t>(end),
                                                 '\n'));
    at_ = end;
  }

  std::size_t behind(std::string_view text, std::size_t from) const {
    const auto found = source_.find(text, from);
    return found == std::string_view::npos ? source_.size() : found + text.size();
  }

  /// One comment, literal or character.
  void step() {
    const char c = source_[at_];
    if (starts("//")) {
      skip_to(end_of_line(at_));
    } else if (starts("/*")) {
      skip_to(behind("*/", at_ + 2));
    } else if (c == '"') {
      skip_to(is_raw() ? end_of_raw() : end_of_literal('"'));
      is_line_empty_so_far_ = false;
    } else if (c == '\'' && !follows_a_digit()) {
      skip_to(end_of_literal('\''));
      is_line_empty_so_far_ = false;
    } else {
      const bool ends_line = c == '\n' && (at_ == 0 || source_[at_ - 1] != '\\');
      is_line_empty_so_far_ =
          ends_line || (is_line_empty_so_far_ && std::isspace(static_cast<unsigned char>(c)) != 0);
      skip_to(at_ + 1);
    }
  }

  bool is_raw() const { return at_ > 0 && source_[at_ - 1] == 'R'; }

  /// 1'000 is one number.
  bool follows_a_digit() const {
    return at_ > 0 && std::isxdigit(static_cast<unsigned char>(source_[at_ - 1])) != 0;
  }

  std::size_t end_of_raw() const {
    const auto open = source_.find('(', at_);
    if (open == std::string_view::npos) return source_.size();
    return behind(")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"", open);
  }

  std::size_t end_of_literal(char quote) const {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n') {
      end += source_[end] == '\\' ? 2 : 1;
    }
    return end + 1;
  }

  /// The end of a line, its continuations included.
  std::size_t end_of_line(std::size_t from) const {
    std::size_t end = source_.find('\n', from);
    while (end != std::string_view::npos && end > 0 && source_[end - 1] == '\\') {
      end = source_.find('\n', end + 1);
    }
    return std::min(end, source_.size());
  }

  void read_directive() {
    const std::size_t end = end_of_line(at_);
    const std::string text = joined_lines(source_.substr(at_ + 1, end - at_ - 1));
    std::string_view words = without_spaces(text);
    constexpr std::string_view keyword = "include";
    if (words.starts_with(keyword)) {
      words = without_spaces(words.substr(keyword.size()));
      includes_.push_back(include_in(words));
      skip_to(end);
    } else {
      is_line_empty_so_far_ = false;
      skip_to(at_ + 1);  // the rest may hold literals and comments of several lines
    }
  }

  static std::string joined_lines(std::string_view lines) {
    std::string text(lines);
    for (std::size_t at = text.find("\\\n"); at != std::string::npos; at = text.find("\\\n", at)) {
      text.erase(at, 2);
    }
    return text;
  }

  static std::string_view without_spaces(std::string_view words) {
    return words.substr(std::min(words.find_first_not_of(" \t"), words.size()));
  }

  Include include_in(std::string_view words) const {
    const bool is_named = words.starts_with('<') || words.starts_with('"');
    const char close = words.starts_with('<') ? '>' : '"';
    return {.name = std::string(is_named ? words.substr(1, words.find(close, 1) - 1) : words),
            .line = line_,
            .is_macro = !is_named};
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool is_line_empty_so_far_ = true;
  std::vector<Include> includes_;
};

bool is_of_the_system(const std::string& name) {
  static const std::set<std::string> headers{
      "arpa/inet.h", "assert.h",   "ctype.h",      "errno.h",       "fcntl.h",    "fenv.h",
      "float.h",     "inttypes.h", "limits.h",     "locale.h",      "math.h",     "netdb.h",
      "poll.h",      "pthread.h",  "netinet/in.h", "netinet/tcp.h", "sched.h",    "setjmp.h",
      "signal.h",    "stdarg.h",   "stdbool.h",    "stddef.h",      "stdint.h",   "stdio.h",
      "stdlib.h",    "string.h",   "strings.h",    "sys/socket.h",  "sys/time.h", "sys/types.h",
      "tgmath.h",    "time.h",     "uchar.h",      "unistd.h",      "wchar.h",    "wctype.h"};
  // Only the C++ library has headers without an ending.
  return headers.contains(name) || name.find_first_of("./") == std::string::npos;
}

bool is_allowed(const Include& include, const nlohmann::json& allowed) {
  if (include.is_macro) return false;
  const auto matches = [&include](const nlohmann::json& entry) {
    const auto text = entry.get<std::string>();
    return text.ends_with("/") ? include.name.starts_with(text) : include.name == text;
  };
  return is_of_the_system(include.name) || std::ranges::any_of(allowed, matches);
}

}  // namespace

std::vector<Include> includes_of(const std::string& source) { return Scanner(source).includes(); }

std::vector<std::string> foreign_includes(const Exercise& exercise,
                                          const std::filesystem::path& folder) {
  std::vector<std::string> sentences;
  if (!exercise.config.contains("includes")) {
    return sentences;
  }
  for (const auto& file : exercise.config.at("files")) {
    const auto name = file.get<std::string>();
    const std::string source = read_file(folder / name, largest_submitted_file);
    for (const Include& include : includes_of(source)) {
      if (!is_allowed(include, exercise.config.at("includes"))) {
        sentences.push_back(name + ":" + std::to_string(include.line) + " includes " +
                            in_quotes(include.name) + ", which this exercise does not allow");
      }
    }
  }
  return sentences;
}

}  // namespace driver
