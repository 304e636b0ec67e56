// SPDX-License-Identifier: MIT
// Workers: download_all starts `limit` tasks that take one URL after the other from a common list;
// there is no semaphore. An answer is read into an asio::streambuf and its head through a
// std::istream. A repeated header keeps its first value, except a Content-Length.
#include "downloader.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <limits>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace {

using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t head_limit = 256 * 1024;

[[noreturn]] void malformed(const std::string& what) {
  throw std::invalid_argument("malformed: " + what);
}

void to_lower(std::string& text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

struct Destination {
  std::string host;
  std::string port;
  std::string head;  // request line and Host
};

Destination destination_of(const std::string& url) {
  static const std::regex shape(
      R"([hH][tT][tT][pP]://((\[[0-9a-fA-F:.]+\]|[^\[\]:/?#@]+)(:([0-9]{1,5}))?)(/[^?#]*)?(\?[^#]*)?(#.*)?)");
  const auto is_bad = [](char c) { return (c >= '\0' && c <= ' ') || c == '\x7f'; };
  std::smatch part;
  if (std::ranges::any_of(url, is_bad) || !std::regex_match(url, part, shape)) malformed(url);
  Destination destination;
  destination.host = part[2];
  if (destination.host.front() == '[') {
    destination.host = destination.host.substr(1, destination.host.size() - 2);
  }
  destination.port = part[4].matched ? part[4].str() : "80";
  const int port = std::stoi(destination.port);
  if (port < 1 || port > 65535) malformed(url);
  const std::string path = part[5].matched ? part[5].str() : "/";
  destination.head = "GET " + path + part[6].str() + " HTTP/1.1\r\nHost: " + part[1].str() + "\r\n";
  return destination;
}

std::string lines_of(const Headers& headers) {
  std::string lines;
  for (const auto& [name, value] : headers) {
    const std::string line = name + ": " + value;
    if (line.find_first_of(std::string("\r\n\0", 3)) != std::string::npos) malformed(name);
    lines += line + "\r\n";
  }
  return lines;
}

std::optional<std::size_t> length_of(std::string digits) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return {};
  try {
    return std::stoull(digits);
  } catch (const std::out_of_range&) {
    return std::numeric_limits<std::size_t>::max();
  }
}

// Takes everything up to the next '\n' out of `input`, without the line's end.
bool next_line(std::istream& input, std::string& line) {
  std::getline(input, line);
  if (line.ends_with('\r')) line.pop_back();
  return !line.empty();
}

Response parse_head(std::istream& input) {
  static const std::regex status_line(R"(HTTP/1\.[0-9] ([1-9][0-9]{2})( [^\0]*)?)");
  std::string line;
  std::smatch part;
  next_line(input, line);
  if (line.size() > 4096 || !std::regex_match(line, part, status_line)) malformed("status line");
  Response response;
  response.status = std::stoi(part[1]);
  while (next_line(input, line)) {
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string::npos) malformed(line);
    std::string name = line.substr(0, colon);
    if (name.find_first_of(" \t") != std::string::npos) malformed(line);
    to_lower(name);
    const std::size_t first = line.find_first_not_of(" \t", colon + 1);
    std::string value;
    if (first != std::string::npos) {
      value = line.substr(first, line.find_last_not_of(" \t") - first + 1);
    }
    const auto [place, is_new] = response.headers.emplace(name, value);
    if (!is_new && name == "content-length" && place->second != value) malformed(line);
  }
  return response;
}

// Says whether the connection goes on after this read.
bool goes_on(const error_code& error) {
  if (error && error != asio::error::eof) throw boost::system::system_error(error);
  return !error;
}

std::string take_all(asio::streambuf& buffer) {
  return std::string(std::istreambuf_iterator<char>(&buffer), {});
}

asio::awaitable<Response> read_head(tcp::socket& socket, asio::streambuf& buffer) {
  // The empty line may end in LF alone, so the end is looked for line by line.
  std::string head;
  error_code error;
  std::istream input(&buffer);
  for (std::string line = "-"; !line.empty();) {
    co_await asio::async_read_until(socket, buffer, '\n',
                                    asio::redirect_error(asio::use_awaitable, error));
    if (error == asio::error::not_found) malformed("a line of the head is too long");
    if (!goes_on(error)) throw IncompleteReadError(take_all(buffer));
    next_line(input, line);
    head += line + "\n";
    if (head.size() > head_limit) malformed("the head is too long");
  }
  std::istringstream lines(head);
  co_return parse_head(lines);
}

asio::awaitable<std::string> read_body(tcp::socket& socket, asio::streambuf& buffer,
                                       std::size_t wanted, bool may_end_early) {
  std::string body = take_all(buffer);
  body.resize(std::min(body.size(), wanted));
  bool is_open = true;
  while (is_open && body.size() < wanted) {
    asio::streambuf piece(std::min<std::size_t>(wanted - body.size(), 64 * 1024));
    error_code error;
    co_await asio::async_read(socket, piece, asio::transfer_at_least(1),
                              asio::redirect_error(asio::use_awaitable, error));
    is_open = goes_on(error);
    body += take_all(piece);
  }
  if (body.size() < wanted && !may_end_early) throw IncompleteReadError(std::move(body));
  co_return body;
}

// What the workers of one download_all have in common.
struct Work {
  Downloads downloads;
  FetchOptions options;
  std::size_t next = 0;
  std::exception_ptr failure;
};

asio::awaitable<void> work_on(Work& work) {
  while (work.next < work.downloads.size()) {
    auto& [url, body] = work.downloads[work.next++];
    try {
      body = co_await fetch(url, work.options);
    } catch (...) {
      if (!work.failure) work.failure = std::current_exception();
    }
    if (work.failure) throw std::runtime_error("no more work");  // the group ends the others
  }
}

asio::awaitable<void> hire(aio::TaskGroup& group, Work& work, std::int64_t limit) {
  const auto enough =
      std::min<std::uint64_t>(static_cast<std::uint64_t>(limit), work.downloads.size());
  for (std::uint64_t i = 0; i < enough; ++i) group.spawn(work_on(work));
  co_return;
}

}  // namespace

asio::awaitable<Response> http_get(std::string url, Headers headers) {
  const Destination destination = destination_of(url);
  const std::string request =
      destination.head + "Connection: close\r\n" + lines_of(headers) + "\r\n";
  tcp::socket socket(co_await asio::this_coro::executor);
  tcp::resolver resolver(socket.get_executor());
  const auto found =
      co_await resolver.async_resolve(destination.host, destination.port, asio::use_awaitable);
  co_await asio::async_connect(socket, found, asio::use_awaitable);
  co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);

  asio::streambuf buffer(head_limit);
  Response response;
  while (response.status < 200) response = co_await read_head(socket, buffer);
  if (response.status == 204 || response.status == 304) co_return response;
  if (response.headers.contains("transfer-encoding")) malformed("a transfer coding");
  const auto announced = response.headers.find("content-length");
  const bool ends_with_connection = announced == response.headers.end();
  std::size_t wanted = std::numeric_limits<std::size_t>::max();
  if (!ends_with_connection) {
    const auto length = length_of(announced->second);
    if (!length) malformed("Content-Length");
    wanted = *length;
  }
  response.body = co_await read_body(socket, buffer, wanted, ends_with_connection);
  co_return response;
}

bool is_retryable(const std::exception_ptr& error) {
  if (!error) return false;
  try {
    std::rethrow_exception(error);
  } catch (const HttpError& answer) {
    return answer.status() == 429 || (answer.status() >= 500 && answer.status() < 600);
  } catch (const boost::system::system_error&) {
    return !aio::is_cancellation(error);
  } catch (const aio::OsError&) {
    return true;
  } catch (const IncompleteReadError&) {
    return true;
  } catch (...) {
    return false;
  }
}

asio::awaitable<std::string> fetch(std::string url, FetchOptions options) {
  std::int64_t left = options.attempts;
  for (auto delay = options.base_delay;; delay += delay) {
    std::exception_ptr failure;
    try {
      Response response = co_await aio::timeout(options.timeout, http_get(url));
      if (response.status != 200) throw HttpError(url, response.status);
      co_return std::move(response.body);
    } catch (...) {
      failure = std::current_exception();
    }
    if (--left <= 0 || !is_retryable(failure)) std::rethrow_exception(failure);
    co_await options.sleep(delay);
  }
}

asio::awaitable<Downloads> download_all(std::vector<std::string> urls, DownloadOptions options) {
  if (options.limit <= 0) throw std::invalid_argument("limit must be positive");
  Work work;
  work.options.attempts = options.attempts;
  work.options.timeout = options.timeout;
  work.options.base_delay = options.base_delay;
  work.options.sleep = std::move(options.sleep);
  for (std::string& url : urls) {
    const auto is_same = [&url](const auto& entry) { return entry.first == url; };
    if (std::ranges::none_of(work.downloads, is_same)) {
      work.downloads.emplace_back(std::move(url), std::string());
    }
  }
  aio::TaskGroup group;
  try {
    co_await group.run(hire(group, work, options.limit));
  } catch (...) {
    if (!work.failure) work.failure = std::current_exception();
  }
  if (work.failure) std::rethrow_exception(work.failure);
  co_return std::move(work.downloads);
}
