// SPDX-License-Identifier: MIT
// Byte by byte: the head is read one byte at a time, so that nothing of the body is ever read with
// it and no buffer outlives a line. The addresses of a name are tried in a loop of our own. A
// chunked body is refused. A Content-Length beyond 64 bits is taken for "more than will ever come".
// download_all has a task for each URL in a TaskGroup; the tasks note the first failure themselves,
// because a group takes a download that ends cancelled by itself for no failure.
#include "downloader.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

namespace {

using asio::ip::tcp;

constexpr std::size_t head_limit = 32 * 1024;
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();
constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

void require(bool condition, const char* complaint) {
  if (!condition) throw std::invalid_argument(complaint);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The number that the digits are; what does not fit is the largest number.
std::uint64_t number(std::string_view digits, const char* complaint) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  require(stop == end && error != std::errc::invalid_argument, complaint);
  return error == std::errc() ? value : endless;
}

struct Url {
  std::string authority;  // as in the URL
  std::string host;       // without brackets
  std::string port = "80";
  std::string target;
};

Url parse_url(std::string_view text) {
  const auto is_forbidden = [](char c) { return (c >= '\0' && c <= ' ') || c == '\x7f'; };
  require(std::ranges::none_of(text, is_forbidden), "a space or control character in the URL");
  constexpr std::string_view scheme = "http://";
  require(lower(text.substr(0, scheme.size())) == scheme, "only http:// URLs are supported");
  text.remove_prefix(scheme.size());
  text = text.substr(0, text.find('#'));

  Url url;
  const std::size_t authority_size = std::min(text.find_first_of("/?"), text.size());
  std::string_view rest = text.substr(0, authority_size);
  require(rest.find('@') == std::string_view::npos, "a URL with a user is not supported");
  url.authority = rest;
  url.target = text.substr(authority_size);
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    require(end != std::string_view::npos, "a bracket is not closed in the URL");
    url.host = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
  } else {
    url.host = rest.substr(0, rest.find(':'));
    rest.remove_prefix(url.host.size());
  }
  require(!url.host.empty(), "no host in the URL");
  if (!rest.empty()) {
    require(rest.front() == ':' && are_digits(rest.substr(1)), "the port is no number");
    const std::uint64_t port = number(rest.substr(1), "the port is no number");
    require(port >= 1 && port <= 65535, "the port is not from 1 to 65535");
    url.port = std::to_string(port);
  }
  return url;
}

std::string request_text(const Url& url, const Headers& headers) {
  std::string text =
      "GET " + url.target + " HTTP/1.1\r\nHost: " + url.authority + "\r\nConnection: close\r\n";
  constexpr std::string_view forbidden("\r\n\0", 3);
  for (const auto& [name, value] : headers) {
    require((name + value).find_first_of(forbidden) == std::string::npos,
            "a line break or NUL in a header");
    text += name + ": " + value + "\r\n";
  }
  return text + "\r\n";
}

asio::awaitable<tcp::socket> connect(const Url& url) {
  const auto executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  const auto places = co_await resolver.async_resolve(url.host, url.port, asio::use_awaitable);
  boost::system::error_code failure = asio::error::host_not_found;
  for (const auto& place : places) {
    tcp::socket socket(executor);
    const auto [error] = co_await socket.async_connect(place.endpoint(), as_result);
    if (!error) co_return std::move(socket);
    failure = error;
    if (error == asio::error::operation_aborted) break;
  }
  throw boost::system::system_error(failure);
}

// Reads what has arrived, at most `most` bytes, to the end of `text`; false at the connection's
// end.
asio::awaitable<bool> read_some(tcp::socket& socket, std::string& text, std::uint64_t most) {
  std::array<char, 16 * 1024> block;
  const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(most, block.size()));
  const auto [error, count] =
      co_await socket.async_read_some(asio::buffer(block.data(), size), as_result);
  if (error && error != asio::error::eof) throw boost::system::system_error(error);
  text.append(block.data(), count);
  co_return !error;
}

// The next line without its end. `room` is what is left of the head's limit.
asio::awaitable<std::string> read_line(tcp::socket& socket, std::size_t& room) {
  std::string line;
  while (true) {
    char byte = 0;
    const auto [error, count] = co_await socket.async_read_some(asio::buffer(&byte, 1), as_result);
    if (error == asio::error::eof) throw IncompleteReadError(line);
    if (error) throw boost::system::system_error(error);
    require(room >= count, "the head of the answer is too long");
    room -= count;
    if (byte == '\n') break;
    line += byte;
  }
  if (line.ends_with('\r')) line.pop_back();
  co_return line;
}

int parse_status(std::string_view line) {
  const bool is_status_line = line.size() >= 12 && line.starts_with("HTTP/1.") &&
                              are_digits(line.substr(7, 1)) && line[8] == ' ' &&
                              are_digits(line.substr(9, 3)) && line[9] != '0' &&
                              (line.size() == 12 || line[12] == ' ');
  require(is_status_line, "the answer does not begin with a status line");
  return static_cast<int>(number(line.substr(9, 3), "no status"));
}

void add_header(Headers& headers, std::string_view line) {
  const std::size_t colon = line.find(':');
  require(colon != std::string_view::npos && colon > 0, "a header line without a name");
  require(trimmed(line.substr(0, colon)).size() == colon, "a space around a header's name");
  const std::string name = lower(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "content-length") require(are_digits(value), "Content-Length is no number");
  const auto [place, is_new] = headers.emplace(name, value);
  if (is_new) return;
  if (name == "content-length") {
    require(place->second == value, "two values of Content-Length");
  } else {
    place->second.append(", ").append(value);
  }
}

asio::awaitable<Response> read_head(tcp::socket& socket) {
  Response response;
  std::size_t room = head_limit;
  const std::string status_line = co_await read_line(socket, room);
  response.status = parse_status(status_line);
  while (true) {
    const std::string line = co_await read_line(socket, room);
    if (line.empty()) break;
    add_header(response.headers, line);
  }
  co_return response;
}

asio::awaitable<void> read_exactly(tcp::socket& socket, std::string& body, std::uint64_t count) {
  while (count > 0) {
    const std::size_t before = body.size();
    const bool is_open = co_await read_some(socket, body, count);
    count -= body.size() - before;
    if (!is_open && count > 0) throw IncompleteReadError(body);
  }
}

asio::awaitable<void> read_body(tcp::socket& socket, Response& response) {
  if (response.status == 204 || response.status == 304) co_return;
  require(!response.headers.contains("transfer-encoding"), "a transfer coding is not supported");
  const auto length = response.headers.find("content-length");
  if (length != response.headers.end()) {
    const std::uint64_t size = number(length->second, "Content-Length is no number");
    co_await read_exactly(socket, response.body, size);
  } else {
    bool is_open = true;
    while (is_open) is_open = co_await read_some(socket, response.body, endless);
  }
}

asio::awaitable<std::string> body_of_200(const std::string& url) {
  Response response = co_await http_get(url);
  if (response.status != 200) throw HttpError(url, response.status);
  co_return std::move(response.body);
}

// What the tasks of one download_all share.
struct Batch {
  explicit Batch(const DownloadOptions& options)
      : fetch_options{options.attempts, options.timeout, options.base_delay, options.sleep},
        permits(options.limit) {}

  FetchOptions fetch_options;
  aio::Semaphore permits;
  std::exception_ptr failure;
  Downloads downloads;
};

asio::awaitable<void> download(Batch& batch, std::size_t index) {
  auto& [url, body] = batch.downloads[index];
  const aio::Semaphore::Permit permit = co_await batch.permits.acquire();
  try {
    body = co_await fetch(url, batch.fetch_options);
  } catch (...) {
    if (!batch.failure) batch.failure = std::current_exception();
    throw std::runtime_error("a download failed");  // brings the group down, whatever it was
  }
}

asio::awaitable<void> start(aio::TaskGroup& group, Batch& batch) {
  for (std::size_t i = 0; i < batch.downloads.size(); ++i) group.spawn(download(batch, i));
  co_return;
}

}  // namespace

asio::awaitable<Response> http_get(std::string url, Headers headers) {
  const Url parts = parse_url(url);
  const std::string request = request_text(parts, headers);
  tcp::socket socket = co_await connect(parts);
  co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
  Response response;
  do {
    response = co_await read_head(socket);
  } while (response.status < 200);
  co_await read_body(socket, response);
  co_return response;
}

bool is_retryable(const std::exception_ptr& error) {
  if (!error || aio::is_cancellation(error)) return false;
  try {
    std::rethrow_exception(error);
  } catch (const HttpError& answer) {
    return answer.status() == 429 || (answer.status() >= 500 && answer.status() <= 599);
  } catch (const IncompleteReadError&) {
    return true;
  } catch (const boost::system::system_error&) {
    return true;
  } catch (const aio::OsError&) {
    return true;
  } catch (...) {
    return false;
  }
}

asio::awaitable<std::string> fetch(std::string url, FetchOptions options) {
  require(options.attempts >= 1, "fetch needs an attempt");
  auto delay = options.base_delay;
  for (std::int64_t attempt = 1;; ++attempt) {
    std::exception_ptr failure;
    try {
      co_return co_await aio::timeout(options.timeout, body_of_200(url));
    } catch (...) {
      failure = std::current_exception();
    }
    if (attempt == options.attempts || !is_retryable(failure)) std::rethrow_exception(failure);
    co_await options.sleep(delay);
    delay *= 2;
  }
}

asio::awaitable<Downloads> download_all(std::vector<std::string> urls, DownloadOptions options) {
  Batch batch(options);  // refuses a limit below 1
  std::unordered_set<std::string> seen;
  for (const std::string& url : urls) {
    if (seen.insert(url).second) batch.downloads.emplace_back(url, "");
  }
  aio::TaskGroup group;
  try {
    co_await group.run(start(group, batch));
  } catch (...) {
    if (!batch.failure) batch.failure = std::current_exception();
  }
  if (batch.failure) std::rethrow_exception(batch.failure);
  co_return std::move(batch.downloads);
}
