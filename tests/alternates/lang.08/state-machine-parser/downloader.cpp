// SPDX-License-Identifier: MIT
// State machine: an answer is parsed by a machine that is pushed one byte at a time and knows
// nothing of sockets; http_get only moves blocks from the one to the other. Chunks are decoded.
// download_all has no group and no semaphore: it starts tasks as long as fewer than `limit` run,
// waits until one of them reports, and in the end cancels and awaits what is left.
#include "downloader.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace {

using asio::ip::tcp;

struct Malformed : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

bool is_space(char c) { return c == ' ' || c == '\t'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Counts digits into a number that stays at its largest value rather than wrap around.
class Number {
 public:
  // False when `c` is no digit of the base.
  bool add(char c, std::uint64_t base) {
    static constexpr std::string_view digits = "0123456789abcdef";
    const std::size_t digit = digits.find(lower(c));
    if (digit >= base) return false;
    is_empty_ = false;
    value_ = value_ > largest / base - 1 ? largest : value_ * base + digit;
    return true;
  }
  bool is_empty() const { return is_empty_; }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t largest = UINT64_MAX / 2;
  std::uint64_t value_ = 0;
  bool is_empty_ = true;
};

class Parser {
 public:
  // Takes one byte. Not to be called once the answer is done.
  void push(char c) {
    switch (state_) {
      case State::line:
        push_to_line(c);
        break;
      case State::counted:
        response_.body += c;
        if (--left_ == 0) state_ = State::done;
        break;
      case State::to_the_end:
        response_.body += c;
        break;
      case State::chunk:
        response_.body += c;
        if (--left_ == 0) start_line(&Parser::end_of_chunk);
        break;
      case State::done:
        break;
    }
  }

  // Tells that the connection has ended.
  void end() {
    if (state_ == State::to_the_end) state_ = State::done;
    if (state_ == State::line && !is_in_body_) throw IncompleteReadError(line_);
    if (state_ != State::done) throw IncompleteReadError(response_.body);
  }

  bool is_done() const { return state_ == State::done; }
  Response take() { return std::move(response_); }

 private:
  enum class State { line, counted, to_the_end, chunk, done };
  using LineHandler = void (Parser::*)();

  static constexpr std::size_t head_limit = 80 * 1024;

  void start_line(LineHandler handler) {
    state_ = State::line;
    on_line_ = handler;
    line_.clear();
  }

  void push_to_line(char c) {
    if (++head_size_ > head_limit) throw Malformed("more head than anybody needs");
    if (c != '\n') {
      line_ += c;
      return;
    }
    if (line_.ends_with('\r')) line_.pop_back();
    (this->*on_line_)();
  }

  void status_line() {
    static constexpr std::string_view pattern = "HTTP/1.# ### ";
    line_ += ' ';  // the reason may be missing, and the space before it
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const bool is_digit = i < line_.size() && line_[i] >= '0' && line_[i] <= '9';
      if (i >= line_.size() || (pattern[i] == '#' ? !is_digit : line_[i] != pattern[i])) {
        throw Malformed("the answer is not HTTP/1");
      }
    }
    Number status;
    for (const char c : line_.substr(9, 3)) status.add(c, 10);
    response_.status = static_cast<int>(status.value());
    start_line(&Parser::header);
  }

  void header() {
    if (line_.empty()) {
      end_of_head();
      return;
    }
    const std::size_t colon = line_.find(':');
    std::string name = line_.substr(0, colon);
    std::ranges::transform(name, name.begin(), lower);
    if (colon == std::string::npos || name.empty() || std::ranges::any_of(name, is_space)) {
      throw Malformed("a header needs a name and a colon");
    }
    std::string value = line_.substr(colon + 1);
    while (!value.empty() && is_space(value.back())) value.pop_back();
    value.erase(0, std::min(value.find_first_not_of(" \t"), value.size()));
    if (name == "content-length") note_length(value);
    const auto [place, is_new] = response_.headers.try_emplace(name, value);
    if (!is_new) place->second += "," + value;
    start_line(&Parser::header);
  }

  void note_length(const std::string& value) {
    Number length;
    for (const char c : value) {
      if (!length.add(c, 10)) throw Malformed("Content-Length has something else than digits");
    }
    if (length.is_empty() || (length_ && *length_ != length.value())) {
      throw Malformed("Content-Length is empty or contradicts itself");
    }
    length_ = length.value();
  }

  void end_of_head() {
    if (response_.status < 200) {
      *this = Parser();  // a word in between; the answer follows
      return;
    }
    is_in_body_ = true;
    const auto coding = response_.headers.find("transfer-encoding");
    if (response_.status == 204 || response_.status == 304) {
      state_ = State::done;
    } else if (coding != response_.headers.end()) {
      std::string name = coding->second;
      std::ranges::transform(name, name.begin(), lower);
      if (name != "chunked") throw Malformed("a transfer coding other than chunked");
      start_chunk();
    } else if (length_) {
      left_ = *length_;
      state_ = left_ == 0 ? State::done : State::counted;
    } else {
      state_ = State::to_the_end;
    }
  }

  void start_chunk() {
    head_size_ = 0;
    start_line(&Parser::size_of_chunk);
  }

  void size_of_chunk() {
    Number size;
    std::size_t i = 0;
    while (i < line_.size() && size.add(line_[i], 16)) ++i;
    while (i < line_.size() && is_space(line_[i])) ++i;
    if (size.is_empty() || (i < line_.size() && line_[i] != ';')) {
      throw Malformed("a chunk begins with its size");
    }
    left_ = size.value();
    if (left_ == 0) {
      start_line(&Parser::trailer);
    } else {
      state_ = State::chunk;
    }
  }

  void end_of_chunk() {
    if (!line_.empty()) throw Malformed("a chunk goes on behind its end");
    start_chunk();
  }

  void trailer() {
    if (line_.empty()) {
      state_ = State::done;
    } else {
      start_line(&Parser::trailer);
    }
  }

  State state_ = State::line;
  LineHandler on_line_ = &Parser::status_line;
  std::string line_;
  std::size_t head_size_ = 0;
  std::optional<std::uint64_t> length_;
  std::uint64_t left_ = 0;
  bool is_in_body_ = false;
  Response response_;
};

struct Request {
  std::string host;
  std::string port = "80";
  std::string text;
};

Request make_request(const std::string& url, const Headers& headers) {
  const auto require = [&url](bool holds) {
    if (!holds) throw Malformed("cannot be asked for: " + url);
  };
  require(std::ranges::none_of(url, [](unsigned char c) { return c < 0x21 || c == 0x7f; }));
  std::string scheme = url.substr(0, 7);
  std::ranges::transform(scheme, scheme.begin(), lower);
  require(scheme == "http://");
  const std::string rest = url.substr(7, url.find('#') - std::min<std::size_t>(7, url.find('#')));
  const std::size_t path = std::min(rest.find_first_of("/?"), rest.size());
  const std::string name = rest.substr(0, path);
  const std::string target = rest.substr(path);

  Request request;
  std::string port;
  if (name.starts_with('[')) {
    const std::size_t close = name.find(']');
    require(close != std::string::npos);
    request.host = name.substr(1, close - 1);
    port = name.substr(close + 1);
  } else {
    request.host = name.substr(0, name.find(':'));
    port = name.substr(request.host.size());
  }
  require(!request.host.empty() && name.find('@') == std::string::npos);
  if (!port.empty()) {
    Number number;
    for (const char c : port.substr(1)) require(number.add(c, 10));
    require(port.front() == ':' && number.value() >= 1 && number.value() <= 65535);
    request.port = port.substr(1);
  }
  request.text = "GET " + std::string(target.starts_with('/') ? "" : "/") + target +
                 " HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n";
  for (const auto& [header, value] : headers) {
    const std::string line = header + ": " + value;
    require(std::ranges::none_of(line, [](char c) { return c == '\r' || c == '\n' || c == '\0'; }));
    request.text += line + "\r\n";
  }
  request.text += "\r\n";
  return request;
}

asio::awaitable<std::string> body_at(std::string url) {
  Response response = co_await http_get(url);
  if (response.status != 200) throw HttpError(std::move(url), response.status);
  co_return std::move(response.body);
}

using Task = aio::Task<void>;

// What the downloads tell the owner.
struct News {
  std::size_t running = 0;
  std::exception_ptr failure;
  aio::Event has_some;
};

asio::awaitable<void> download(std::pair<std::string, std::string>& entry, FetchOptions options,
                               News& news) {
  try {
    entry.second = co_await fetch(entry.first, std::move(options));
  } catch (...) {
    if (!news.failure) news.failure = std::current_exception();
  }
  --news.running;
  news.has_some.set();
}

asio::awaitable<void> end_all(std::vector<Task>& tasks, std::exception_ptr& interruption) {
  for (const Task& task : tasks) task.cancel();
  for (const Task& task : tasks) {
    while (!task.done()) {
      try {
        co_await task.wait();
      } catch (const aio::Cancelled&) {
        interruption = std::current_exception();
      }
    }
  }
}

}  // namespace

asio::awaitable<Response> http_get(std::string url, Headers headers) {
  const Request request = make_request(url, headers);
  const auto executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  const auto places =
      co_await resolver.async_resolve(request.host, request.port, asio::use_awaitable);
  tcp::socket socket(executor);
  co_await asio::async_connect(socket, places, asio::use_awaitable);
  co_await asio::async_write(socket, asio::buffer(request.text), asio::use_awaitable);
  Parser parser;
  std::string block(32 * 1024, '\0');
  while (!parser.is_done()) {
    const auto [error, size] =
        co_await socket.async_read_some(asio::buffer(block), asio::as_tuple(asio::use_awaitable));
    for (std::size_t i = 0; i < size && !parser.is_done(); ++i) parser.push(block[i]);
    if (parser.is_done()) break;
    if (error == asio::error::eof) {
      parser.end();
    } else if (error) {
      throw boost::system::system_error(error);
    }
  }
  co_return parser.take();
}

bool is_retryable(const std::exception_ptr& error) {
  static const auto of_the_network =
      aio::retry_on<IncompleteReadError, aio::OsError, boost::system::system_error>();
  if (!error || aio::is_cancellation(error)) return false;
  try {
    std::rethrow_exception(error);
  } catch (const HttpError& answer) {
    return answer.status() == 429 || (499 < answer.status() && answer.status() < 600);
  } catch (...) {
    return of_the_network.matches(error);
  }
}

asio::awaitable<std::string> fetch(std::string url, FetchOptions options) {
  std::chrono::duration<double> delay = options.base_delay;
  std::int64_t attempts_left = std::max<std::int64_t>(options.attempts, 1);
  while (true) {
    std::exception_ptr failure;
    try {
      co_return co_await aio::timeout(options.timeout, body_at(url));
    } catch (...) {
      failure = std::current_exception();
    }
    --attempts_left;
    if (attempts_left == 0 || !is_retryable(failure)) std::rethrow_exception(failure);
    co_await options.sleep(delay);
    delay = delay * 2;
  }
}

asio::awaitable<Downloads> download_all(std::vector<std::string> urls, DownloadOptions options) {
  if (options.limit < 1) throw Malformed("limit is less than 1");
  const FetchOptions each{options.attempts, options.timeout, options.base_delay, options.sleep};
  Downloads downloads;
  std::set<std::string> names;
  for (const auto& url : urls) {
    if (names.insert(url).second) downloads.emplace_back(url, "");
  }
  std::vector<Task> tasks;
  News news;
  std::exception_ptr interruption;
  const auto limit = static_cast<std::uint64_t>(options.limit);
  try {
    while (!news.failure && (tasks.size() < downloads.size() || news.running > 0)) {
      while (tasks.size() < downloads.size() && news.running < limit) {
        ++news.running;
        tasks.push_back(aio::spawn(download(downloads[tasks.size()], each, news)));
      }
      co_await news.has_some.wait();
      news.has_some.clear();
    }
  } catch (const aio::Cancelled&) {
    interruption = std::current_exception();
  }
  co_await end_all(tasks, interruption);
  if (interruption) std::rethrow_exception(interruption);
  if (news.failure) std::rethrow_exception(news.failure);
  co_return downloads;
}
