// SPDX-License-Identifier: MIT
// Read until: Asio's composed operations do the reading. async_read_until fetches one line at a
// time into a bounded dynamic_buffer, async_read the rest of the body; what came with a line stays
// in the buffer for whoever reads next. Only CR LF ends a line; any Transfer-Encoding is refused;
// of several headers with one name the last is kept. download_all takes a permit first and starts a
// task with it then, so that there are never more tasks than downloads in flight.
#include "downloader.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/completion_condition.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

namespace {

using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t head_limit = 128 * 1024;
constexpr auto with_error = asio::as_tuple(asio::use_awaitable);

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

char lower_char(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), lower_char);
  return text;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return std::string(text);
}

// All of `text` as a number in plain digits, or nothing.
template <class Number>
std::optional<Number> to_number(std::string_view text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

struct Target {
  std::string host;
  std::string host_header;
  std::string port;
  std::string path;
};

Target parse(const std::string& url) {
  for (const char c : url) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f) refuse("not allowed in a URL: " + url);
  }
  if (lower(url.substr(0, 7)) != "http://") refuse("not an http URL: " + url);
  std::string rest = url.substr(7);
  rest.erase(std::min(rest.find('#'), rest.size()));
  const std::size_t slash = std::min(rest.find_first_of("/?"), rest.size());
  std::string authority = rest.substr(0, slash);
  authority.erase(0, authority.rfind('@') + 1);  // a user's name is for nobody else to see

  Target target{.host = authority, .host_header = authority, .port = "80", .path = {}};
  target.path = rest.substr(slash);
  if (target.path.empty() || target.path.front() == '?') target.path.insert(0, 1, '/');
  const std::size_t host_end = authority.starts_with('[') ? authority.find(']') : 0;
  if (host_end == std::string::npos) refuse("no address in brackets: " + url);
  const std::size_t colon = authority.find(':', host_end);
  if (colon != std::string::npos) {
    target.host.erase(colon);
    const auto port = to_number<unsigned short>(authority.substr(colon + 1));
    if (!port || *port == 0) refuse("no port: " + url);
    target.port = std::to_string(*port);
  }
  if (host_end > 0) {
    if (target.host.size() != host_end + 1) refuse("no port behind the brackets: " + url);
    target.host = target.host.substr(1, host_end - 1);
  }
  if (target.host.empty()) refuse("no host: " + url);
  return target;
}

std::string make_request(const Target& target, const Headers& headers) {
  std::string request = "GET " + target.path + " HTTP/1.1\r\n";
  const auto add = [&request](const std::string& name, const std::string& value) {
    const std::string line = name + ": " + value;
    for (const char c : {'\r', '\n', '\0'}) {
      if (line.find(c) != std::string::npos) refuse("not allowed in a header: " + name);
    }
    request += line + "\r\n";
  };
  add("Host", target.host_header);
  add("Connection", "close");
  for (const auto& [name, value] : headers) add(name, value);
  return request + "\r\n";
}

// A connection, and what was read from it and not yet used.
class Connection {
 public:
  explicit Connection(const asio::any_io_executor& executor) : socket_(executor) {}

  asio::awaitable<void> open(const Target& target) {
    tcp::resolver resolver(socket_.get_executor());
    const auto places =
        co_await resolver.async_resolve(target.host, target.port, asio::use_awaitable);
    co_await asio::async_connect(socket_, places, asio::use_awaitable);
  }

  asio::awaitable<void> send(const std::string& request) {
    co_await asio::async_write(socket_, asio::buffer(request), asio::use_awaitable);
  }

  // The next line, without its end.
  asio::awaitable<std::string> line() {
    constexpr std::string_view end = "\r\n";
    const auto [error, size] = co_await asio::async_read_until(
        socket_, asio::dynamic_buffer(received_, head_limit), end, with_error);
    if (error == asio::error::not_found) refuse("a line of the answer is too long");
    if (error == asio::error::eof) throw IncompleteReadError(std::move(received_));
    if (error) throw boost::system::system_error(error);
    std::string result = received_.substr(0, size - end.size());
    received_.erase(0, size);
    co_return result;
  }

  asio::awaitable<std::string> exactly(std::size_t size) {
    std::string body = std::move(received_);
    if (body.size() >= size) {
      body.resize(size);
      co_return body;
    }
    const auto [error, count] =
        co_await asio::async_read(socket_, asio::dynamic_buffer(body),
                                  asio::transfer_exactly(size - body.size()), with_error);
    if (error == asio::error::eof) throw IncompleteReadError(std::move(body));
    if (error) throw boost::system::system_error(error);
    co_return body;
  }

  asio::awaitable<std::string> to_the_end() {
    std::string body = std::move(received_);
    const auto [error, count] = co_await asio::async_read(socket_, asio::dynamic_buffer(body),
                                                          asio::transfer_all(), with_error);
    if (error && error != asio::error::eof) throw boost::system::system_error(error);
    co_return body;
  }

 private:
  tcp::socket socket_;
  std::string received_;
};

// What a head says: the answer without its body, and how long that is if the head tells.
struct Head {
  Response response;
  std::set<std::string> lengths;
  bool is_coded = false;
};

int parse_status(const std::string& line) {
  constexpr std::string_view shape = "HTTP/1.d ddd ";
  bool fits = line.size() >= shape.size() - 1;
  for (std::size_t i = 0; fits && i < std::min(line.size(), shape.size()); ++i) {
    fits = shape[i] == 'd' ? line[i] >= '0' && line[i] <= '9' : line[i] == shape[i];
  }
  if (!fits) refuse("no status line of HTTP/1");
  const int status = to_number<int>(line.substr(9, 3)).value();
  if (status < 100) refuse("no status of HTTP");
  return status;
}

void add_header(Head& head, const std::string& line) {
  const std::size_t colon = line.find(':');
  const std::string name = lower(line.substr(0, colon));
  if (colon == std::string::npos || name.empty() ||
      name.find_first_of(" \t") != std::string::npos) {
    refuse("no header: " + line);
  }
  const std::string value = trimmed(line.substr(colon + 1));
  if (name == "content-length") head.lengths.insert(value);
  if (name == "transfer-encoding") head.is_coded = true;
  head.response.headers[name] = value;
}

asio::awaitable<Head> read_head(Connection& connection) {
  Head head;
  const std::string first = co_await connection.line();
  head.response.status = parse_status(first);
  std::size_t size = first.size();
  std::string line;
  do {
    line = co_await connection.line();
    size += line.size() + 2;
    if (size > head_limit) refuse("the head of the answer is too long");
    if (!line.empty()) add_header(head, line);
  } while (!line.empty());
  co_return head;
}

asio::awaitable<void> read_body(Connection& connection, Head& head) {
  if (head.response.status == 204 || head.response.status == 304) co_return;
  if (head.is_coded) refuse("a Transfer-Encoding is not supported");
  if (head.lengths.empty()) {
    head.response.body = co_await connection.to_the_end();
    co_return;
  }
  const auto length = to_number<std::size_t>(*head.lengths.begin());
  if (!length || head.lengths.size() > 1) refuse("no usable Content-Length");
  head.response.body = co_await connection.exactly(*length);
}

asio::awaitable<std::string> attempt(const std::string& url) {
  Response response = co_await http_get(url);
  if (response.status != 200) throw HttpError(url, response.status);
  co_return std::move(response.body);
}

// `failure` gets what made the download fail, whatever it is; the group only learns that it did.
asio::awaitable<void> download(std::pair<std::string, std::string>& entry, FetchOptions options,
                               aio::Semaphore::Permit /*held until the end*/,
                               std::exception_ptr& failure) {
  try {
    entry.second = co_await fetch(entry.first, std::move(options));
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (failure) throw std::runtime_error("stop");
}

asio::awaitable<void> start_all(aio::TaskGroup& group, aio::Semaphore& permits,
                                Downloads& downloads, const FetchOptions& options,
                                std::exception_ptr& failure) {
  for (auto& entry : downloads) {
    aio::Semaphore::Permit permit = co_await permits.acquire();
    group.spawn(download(entry, options, std::move(permit), failure));
  }
}

}  // namespace

asio::awaitable<Response> http_get(std::string url, Headers headers) {
  const Target target = parse(url);
  const std::string request = make_request(target, headers);
  Connection connection(co_await asio::this_coro::executor);
  co_await connection.open(target);
  co_await connection.send(request);
  Head head;
  do {
    head = co_await read_head(connection);
  } while (head.response.status < 200);
  co_await read_body(connection, head);
  co_return std::move(head.response);
}

bool is_retryable(const std::exception_ptr& error) {
  if (!error || aio::is_cancellation(error)) return false;
  try {
    std::rethrow_exception(error);
  } catch (const HttpError& failure) {
    return failure.status() == 429 || failure.status() / 100 == 5;
  } catch (...) {
    return aio::retry_on<IncompleteReadError, boost::system::system_error, aio::OsError>().matches(
        error);
  }
}

asio::awaitable<std::string> fetch(std::string url, FetchOptions options) {
  if (options.attempts < 1) refuse("at least one attempt is needed");
  std::exception_ptr failure;
  for (std::int64_t made = 0; made < options.attempts; ++made) {
    if (made > 0) {
      co_await options.sleep(options.base_delay);
      options.base_delay *= 2;
    }
    try {
      co_return co_await aio::timeout(options.timeout, attempt(url));
    } catch (...) {
      failure = std::current_exception();
    }
    if (!is_retryable(failure)) break;
  }
  std::rethrow_exception(failure);
}

asio::awaitable<Downloads> download_all(std::vector<std::string> urls, DownloadOptions options) {
  if (options.limit < 1) refuse("the limit must be at least 1");
  Downloads downloads;
  std::set<std::string> known;
  for (const std::string& url : urls) {
    if (known.insert(url).second) downloads.emplace_back(url, std::string());
  }
  const FetchOptions each{.attempts = options.attempts,
                          .timeout = options.timeout,
                          .base_delay = options.base_delay,
                          .sleep = options.sleep};
  aio::Semaphore permits(options.limit);
  aio::TaskGroup group;
  std::exception_ptr failure;
  try {
    co_await group.run(start_all(group, permits, downloads, each, failure));
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (failure) std::rethrow_exception(failure);
  co_return downloads;
}
