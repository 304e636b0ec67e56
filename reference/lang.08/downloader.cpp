// SPDX-License-Identifier: MIT
#include "downloader.hpp"

#include <boost/asio.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

namespace {

using asio::ip::tcp;

constexpr std::size_t largest_head = 64 * 1024;
constexpr std::size_t largest_read = 64 * 1024;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Gives the number that `text` is, all of it in digits of `base`; nothing else counts as one.
std::optional<std::uint64_t> number(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// ---- the request

struct Address {
  std::string host;  // as the resolver wants it: without brackets
  std::string port;
  std::string authority;  // host and port as in the URL
  std::string target;
};

Address parse_url(std::string_view url) {
  const auto is_unsafe = [](unsigned char c) { return c <= ' ' || c == 0x7f; };
  if (std::ranges::any_of(url, is_unsafe)) refuse("a URL has no spaces or control characters");
  constexpr std::string_view scheme = "http://";
  if (lower(std::string(url.substr(0, scheme.size()))) != scheme) refuse("not an http:// URL");
  url = url.substr(0, url.find('#')).substr(scheme.size());

  const auto end = std::min(url.find_first_of("/?"), url.size());
  Address address;
  address.authority = url.substr(0, end);
  address.target = url.substr(end);
  if (!address.target.starts_with('/')) address.target.insert(0, "/");

  // The colons of an IPv6 address are inside its brackets.
  const auto bracket = address.authority.find(']');
  const auto colon = address.authority.find(':', bracket == std::string::npos ? 0 : bracket);
  address.host = address.authority.substr(0, colon);
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  } else if (address.host.find_first_of("[]") != std::string::npos) {
    refuse("a host with a bracket in it");
  }
  if (address.host.empty() || address.host.find_first_of("@%") != std::string::npos) {
    refuse("no host to connect to in the URL");
  }
  address.port = colon == std::string::npos ? "80" : address.authority.substr(colon + 1);
  const auto port = number(address.port);
  if (!port || *port < 1 || *port > 65535) refuse("not a port: " + address.port);
  return address;
}

std::string request_text(const Address& address, const Headers& headers) {
  std::string text = "GET " + address.target + " HTTP/1.1\r\nHost: " + address.authority +
                     "\r\nConnection: close\r\n";
  for (const auto& [name, value] : headers) {
    // Whoever could write a line end here could send a second request.
    constexpr std::string_view line_ends("\r\n\0", 3);
    if (!is_token(name) || value.find_first_of(line_ends) != std::string::npos) {
      refuse("a header that cannot be sent: " + name);
    }
    text += name + ": " + value + "\r\n";
  }
  return text + "\r\n";
}

// ---- the answer

/// Reads from a connection; what arrived beyond a line is kept for whoever reads next.
class Reader {
 public:
  explicit Reader(tcp::socket& socket) : socket_(socket) {}

  /// The next line of a head, without its end. The limit holds while the line is being read.
  asio::awaitable<std::string> line() {
    std::string line;
    while (!line.ends_with('\n')) {
      const bool has_more = co_await has_unread();
      if (!has_more) throw IncompleteReadError(std::move(line));
      const auto end = unread_.find('\n');
      const std::string_view part = take(end == std::string_view::npos ? end : end + 1);
      head_size_ += part.size();
      if (head_size_ > largest_head) refuse("the head of the answer is too large");
      line += part;
    }
    line.pop_back();
    if (line.ends_with('\r')) line.pop_back();
    co_return line;
  }

  /// Lets the next lines be as long as a whole head again.
  void start_head() { head_size_ = 0; }

  /// Exactly `size` bytes. Memory grows with what arrives, not with what was announced.
  asio::awaitable<std::string> exactly(std::uint64_t size) {
    std::string body;
    while (body.size() < size) {
      const bool has_more = co_await has_unread();
      if (!has_more) throw IncompleteReadError(std::move(body));
      const std::string_view part = take(size - body.size());
      if (body.size() + part.size() > body.capacity()) {
        // By more than the string would by itself: large bodies are copied less often.
        body.reserve(std::min<std::uint64_t>(size, 8 * (body.size() + part.size())));
      }
      body += part;
    }
    co_return body;
  }

  asio::awaitable<std::string> to_the_end() {
    std::string body;
    bool has_more = true;
    while (has_more) {
      body += take(std::string_view::npos);
      has_more = co_await has_unread();
    }
    co_return body;
  }

 private:
  /// At most `most` bytes of what was read and not yet used; valid until the next read.
  std::string_view take(std::uint64_t most) {
    const std::string_view taken = unread_.substr(0, most);
    unread_.remove_prefix(taken.size());
    return taken;
  }

  /// Says whether there is something to take, after a read if there was not; false at the end.
  asio::awaitable<bool> has_unread() {
    if (!unread_.empty()) co_return true;
    boost::system::error_code error;
    const std::size_t count = co_await socket_.async_read_some(
        asio::buffer(block_), asio::redirect_error(asio::use_awaitable, error));
    if (error && error != asio::error::eof) throw boost::system::system_error(error);
    unread_ = std::string_view(block_.data(), count);
    co_return count > 0;
  }

  tcp::socket& socket_;
  std::vector<char> block_ = std::vector<char>(largest_read);
  std::string_view unread_;
  std::size_t head_size_ = 0;
};

int parse_status(std::string_view line) {
  // HTTP/1.1 200 OK; the reason may be missing.
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool is_right = line.size() >= 12 && line.starts_with("HTTP/1.") && is_digit(line[7]) &&
                        line[8] == ' ' && std::ranges::all_of(line.substr(9, 3), is_digit) &&
                        (line.size() == 12 || line[12] == ' ');
  if (!is_right) refuse("not the status line of an HTTP/1 answer");
  return static_cast<int>(*number(line.substr(9, 3)));
}

asio::awaitable<Headers> read_headers(Reader& reader) {
  Headers headers;
  std::string* last = nullptr;
  for (;;) {
    const std::string line = co_await reader.line();
    if (line.empty()) co_return headers;
    if (line.front() == ' ' || line.front() == '\t') {  // goes on with the header before it
      if (last == nullptr) refuse("the answer's first header has no name");
      *last += " " + std::string(trimmed(line));
      continue;
    }
    const auto colon = line.find(':');
    const std::string name = lower(line.substr(0, colon));
    if (colon == std::string::npos || !is_token(name)) refuse("a header without a name");
    const auto [place, is_new] = headers.try_emplace(name, trimmed(line.substr(colon + 1)));
    if (!is_new) place->second += ", " + std::string(trimmed(line.substr(colon + 1)));
    last = &place->second;
  }
}

asio::awaitable<Response> read_head(Reader& reader) {
  Response response;
  response.status = parse_status(co_await reader.line());
  response.headers = co_await read_headers(reader);
  co_return response;
}

/// The one number that all values of Content-Length are, or nothing without the header.
std::optional<std::uint64_t> content_length(const Headers& headers) {
  const auto found = headers.find("content-length");
  if (found == headers.end()) return std::nullopt;
  std::optional<std::uint64_t> length;
  std::string_view rest = found->second;
  for (bool is_last = false; !is_last;) {
    const auto comma = rest.find(',');
    const auto value = number(trimmed(rest.substr(0, comma)));
    if (!value || (length && *length != *value)) refuse("Content-Length: " + found->second);
    length = value;
    is_last = comma == std::string_view::npos;
    if (!is_last) rest.remove_prefix(comma + 1);
  }
  return length;
}

asio::awaitable<std::string> read_chunks(Reader& reader) {
  std::string body;
  for (;;) {
    reader.start_head();
    const std::string line = co_await reader.line();
    const auto size = number(trimmed(std::string_view(line).substr(0, line.find(';'))), 16);
    if (!size) refuse("not the size of a chunk: " + line);
    if (*size == 0) break;
    body += co_await reader.exactly(*size);
    const std::string end = co_await reader.line();
    if (!end.empty()) refuse("a chunk that is longer than its size");
  }
  co_await read_headers(reader);  // trailers
  co_return body;
}

asio::awaitable<Response> read_response(tcp::socket& socket) {
  Reader reader(socket);
  Response response = co_await read_head(reader);
  while (response.status >= 100 && response.status < 200) {  // an interim answer: more follows
    if (response.status == 101) refuse("101: nobody asked for another protocol");
    response = co_await read_head(reader);
  }
  if (response.status == 204 || response.status == 304) co_return response;
  const auto coding = response.headers.find("transfer-encoding");
  if (coding != response.headers.end()) {
    if (lower(coding->second) != "chunked") refuse("Transfer-Encoding: " + coding->second);
    response.body = co_await read_chunks(reader);
  } else if (const auto length = content_length(response.headers)) {
    response.body = co_await reader.exactly(*length);
  } else {
    response.body = co_await reader.to_the_end();
  }
  co_return response;
}

}  // namespace

asio::awaitable<Response> http_get(std::string url, Headers headers) {
  const Address address = parse_url(url);
  const std::string request = request_text(address, headers);
  const auto executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  const auto places =
      co_await resolver.async_resolve(address.host, address.port, asio::use_awaitable);
  tcp::socket socket(executor);  // whichever way this ends, its destructor closes the connection
  co_await asio::async_connect(socket, places, asio::use_awaitable);
  co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
  co_return co_await read_response(socket);
}

bool is_retryable(const std::exception_ptr& error) {
  if (!error || aio::is_cancellation(error)) return false;
  try {
    std::rethrow_exception(error);
  } catch (const HttpError& failure) {
    return failure.status() == 429 || (failure.status() >= 500 && failure.status() <= 599);
  } catch (const IncompleteReadError&) {
    return true;
  } catch (const aio::OsError&) {  // a timeout is one
    return true;
  } catch (const boost::system::system_error&) {
    return true;
  } catch (...) {
    return false;
  }
}

asio::awaitable<std::string> fetch(std::string url, FetchOptions options) {
  for (std::int64_t attempt = 1;; ++attempt) {
    std::exception_ptr failure;
    try {
      Response response = co_await aio::timeout(options.timeout, http_get(url));
      if (response.status == 200) co_return std::move(response.body);
      throw HttpError(url, response.status);
    } catch (...) {
      failure = std::current_exception();  // C++ cannot await in here
    }
    if (attempt >= options.attempts || !is_retryable(failure)) std::rethrow_exception(failure);
    co_await options.sleep(options.base_delay * std::exp2(attempt - 1));
  }
}

namespace {

asio::awaitable<void> download(std::pair<std::string, std::string>& entry, aio::Semaphore& permits,
                               FetchOptions options) {
  const aio::Semaphore::Permit permit = co_await permits.acquire();
  entry.second = co_await fetch(entry.first, std::move(options));
}

asio::awaitable<void> start_all(aio::TaskGroup& group, Downloads& downloads,
                                aio::Semaphore& permits, const FetchOptions& options) {
  for (auto& entry : downloads) group.spawn(download(entry, permits, options), entry.first);
  co_return;
}

}  // namespace

asio::awaitable<Downloads> download_all(std::vector<std::string> urls, DownloadOptions options) {
  if (options.limit < 1) refuse("limit must be at least 1");
  const FetchOptions each{.attempts = options.attempts,
                          .timeout = options.timeout,
                          .base_delay = options.base_delay,
                          .sleep = options.sleep};
  Downloads downloads;
  std::set<std::string_view> known;
  for (const std::string& url : urls) {
    if (known.insert(url).second) downloads.emplace_back(url, "");
  }
  aio::Semaphore permits(options.limit);
  aio::TaskGroup group;
  std::exception_ptr failure;
  try {
    co_await group.run(start_all(group, downloads, permits, each));
  } catch (const aio::ExceptionGroup& failures) {
    failure = failures.exceptions().front();  // a caller wants the 404, not a group with it inside
  }
  if (failure) std::rethrow_exception(failure);
  co_return downloads;
}
