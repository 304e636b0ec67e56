// SPDX-License-Identifier: MIT
// Releases the permit: a download holds a permit for the time of an attempt and none while it waits
// for the next one, so that others go on in the meantime. It hands fetch() a sleep that gives the
// permit back and takes another one afterwards. An answer is collected in one growing string with
// a position in it; nothing is erased until the answer is whole. Chunks are decoded.
#include "downloader.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace {

using asio::ip::tcp;

constexpr std::size_t head_limit = 100'000;

[[noreturn]] void no(const char* why) { throw std::invalid_argument(why); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  }
  return result;
}

std::string_view strip(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// The value of all of `text` in digits of `base`; nothing when it is no number or a huge one.
std::optional<std::uint64_t> parse_number(std::string_view text, unsigned base) {
  constexpr std::uint64_t too_large = std::uint64_t{1} << 56;
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const char folded = static_cast<char>(c | 0x20);
    unsigned digit = base;
    if (is_digit(c)) digit = static_cast<unsigned>(c - '0');
    if (folded >= 'a' && folded <= 'f') digit = static_cast<unsigned>(folded - 'a') + 10;
    if (digit >= base || value > too_large) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

struct Peer {
  std::string host;
  std::string port = "80";
  std::string name;
  std::string target = "/";
};

Peer parse_url(std::string_view url) {
  for (const char c : url) {
    if (static_cast<unsigned char>(c) < 0x21 || c == 0x7f) no("an unprintable character in a URL");
  }
  if (lower(url.substr(0, 7)) != "http://") no("the scheme has to be http");
  url.remove_prefix(7);
  if (const auto hash = url.find('#'); hash != url.npos) url = url.substr(0, hash);
  Peer peer;
  const auto path = url.find_first_of("/?");
  if (path != url.npos) {
    peer.target = url[path] == '/' ? "" : "/";
    peer.target += url.substr(path);
    url = url.substr(0, path);
  }
  peer.name = url;
  auto host_size = url.find(':');
  if (url.starts_with('[')) {
    const auto close = url.find(']');
    if (close == url.npos) no("a bracket without its partner");
    peer.host = url.substr(1, close - 1);
    host_size = close + 1;
  } else {
    peer.host = url.substr(0, host_size);
  }
  if (peer.host.empty() || peer.name.find('@') != std::string::npos) no("the URL names no host");
  if (host_size < url.size()) {
    const std::string_view port = url.substr(host_size + 1);
    const auto number = parse_number(port, 10);
    if (url[host_size] != ':' || !number || *number < 1 || *number > 65535) no("not a port");
    peer.port = port;
  }
  return peer;
}

void append_header(std::string& request, const std::string& name, const std::string& value) {
  for (const char c : name + value) {
    if (c == '\r' || c == '\n' || c == '\0') no("a header must be one line");
  }
  request += name;
  request += ": ";
  request += value;
  request += "\r\n";
}

// Everything that came over one connection, and how far it has been understood.
class Incoming {
 public:
  explicit Incoming(tcp::socket& socket) : socket_(socket) {}

  asio::awaitable<std::string_view> line() {
    auto end = all_.find('\n', position_);
    while (end == std::string::npos) {
      if (all_.size() - head_start_ > head_limit) no("the head is too large");
      const std::size_t seen = all_.size();
      if (!co_await more()) throw IncompleteReadError(all_.substr(position_));
      end = all_.find('\n', seen);
    }
    if (end - head_start_ > head_limit) no("the head is too large");
    std::string_view line(all_.data() + position_, end - position_);
    position_ = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    co_return line;
  }

  void start_head() { head_start_ = position_; }

  // Moves `size` bytes to the end of `body`.
  asio::awaitable<void> take(std::uint64_t size, std::string& body) {
    while (all_.size() - position_ < size) {
      if (!co_await more()) throw IncompleteReadError(body + all_.substr(position_));
    }
    body.append(all_, position_, size);
    position_ += size;
  }

  asio::awaitable<std::string> rest() {
    bool is_open = true;
    while (is_open) is_open = co_await more();
    co_return all_.substr(position_);
  }

 private:
  asio::awaitable<bool> more() {
    std::array<char, 8192> block;
    const auto [error, count] =
        co_await socket_.async_read_some(asio::buffer(block), asio::as_tuple(asio::use_awaitable));
    all_.append(block.data(), count);
    if (error && error != asio::error::eof) throw boost::system::system_error(error);
    co_return !error;
  }

  tcp::socket& socket_;
  std::string all_;
  std::size_t position_ = 0;
  std::size_t head_start_ = 0;
};

int status_of(std::string_view line) {
  if (!line.starts_with("HTTP/1.") || line.size() < 12 || !is_digit(line[7]) || line[8] != ' ' ||
      (line.size() > 12 && line[12] != ' ')) {
    no("not an HTTP/1 answer");
  }
  for (const char c : line.substr(9, 3)) {
    if (!is_digit(c)) no("not a status");
  }
  return (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
}

asio::awaitable<Headers> read_headers(Incoming& incoming) {
  Headers headers;
  while (true) {
    const std::string_view line = co_await incoming.line();
    if (line.empty()) co_return headers;
    const auto colon = line.find(':');
    if (colon == line.npos || colon == 0 || line.find_first_of(" \t") < colon) {
      no("not a header");
    }
    const std::string_view value = strip(line.substr(colon + 1));
    std::string& all = headers[lower(line.substr(0, colon))];
    if (!all.empty()) all += ", ";
    all += value;
  }
}

asio::awaitable<Response> read_response(Incoming& incoming) {
  Response response;
  do {
    incoming.start_head();
    response.status = status_of(co_await incoming.line());
    response.headers = co_await read_headers(incoming);
  } while (response.status < 200);
  co_return response;
}

std::uint64_t one_length(std::string_view values) {
  std::optional<std::uint64_t> length;
  while (true) {
    const auto comma = values.find(',');
    const auto value = parse_number(strip(values.substr(0, comma)), 10);
    if (!value || (length && length != value)) no("Content-Length is not one number");
    length = value;
    if (comma == values.npos) return *length;
    values.remove_prefix(comma + 1);
  }
}

asio::awaitable<std::string> read_chunks(Incoming& incoming) {
  std::string body;
  while (true) {
    incoming.start_head();
    const std::string_view line = co_await incoming.line();
    const auto size = parse_number(strip(line.substr(0, line.find(';'))), 16);
    if (!size) no("not the size of a chunk");
    if (*size == 0) break;
    co_await incoming.take(*size, body);
    incoming.start_head();
    const std::string_view end = co_await incoming.line();
    if (!end.empty()) no("a chunk does not end where it should");
  }
  incoming.start_head();
  co_await read_headers(incoming);
  co_return body;
}

// The permit of one download, absent while it waits between two attempts.
struct Turn {
  aio::Semaphore& permits;
  std::optional<aio::Semaphore::Permit> permit;
};

asio::awaitable<void> sleep_without_permit(std::shared_ptr<Turn> turn, Sleep sleep,
                                           std::chrono::duration<double> delay) {
  turn->permit.reset();
  co_await sleep(delay);
  turn->permit.emplace(co_await turn->permits.acquire());
}

asio::awaitable<void> download(std::pair<std::string, std::string>& entry, aio::Semaphore& permits,
                               FetchOptions options) {
  const auto turn = std::make_shared<Turn>(Turn{permits, std::nullopt});
  turn->permit.emplace(co_await permits.acquire());
  options.sleep = [turn, sleep = options.sleep](std::chrono::duration<double> delay) {
    return sleep_without_permit(turn, sleep, delay);
  };
  entry.second = co_await fetch(entry.first, options);
  turn->permit.reset();
}

asio::awaitable<void> start(aio::TaskGroup& group, Downloads& downloads, aio::Semaphore& permits,
                            const FetchOptions& options) {
  for (auto& entry : downloads) group.spawn(download(entry, permits, options));
  co_return;
}

}  // namespace

asio::awaitable<Response> http_get(std::string url, Headers headers) {
  const Peer peer = parse_url(url);
  std::string request = "GET " + peer.target + " HTTP/1.1\r\n";
  append_header(request, "Host", peer.name);
  append_header(request, "Connection", "close");
  for (const auto& [name, value] : headers) append_header(request, name, value);
  request += "\r\n";

  const auto executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  tcp::socket socket(executor);
  const auto addresses = co_await resolver.async_resolve(peer.host, peer.port, asio::use_awaitable);
  co_await asio::async_connect(socket, addresses, asio::use_awaitable);
  co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
  Incoming incoming(socket);
  Response response = co_await read_response(incoming);
  if (response.status == 204 || response.status == 304) co_return response;
  const auto coding = response.headers.find("transfer-encoding");
  const auto length = response.headers.find("content-length");
  if (coding != response.headers.end()) {
    if (lower(coding->second) != "chunked") no("an unknown transfer coding");
    response.body = co_await read_chunks(incoming);
  } else if (length != response.headers.end()) {
    co_await incoming.take(one_length(length->second), response.body);
  } else {
    response.body = co_await incoming.rest();
  }
  co_return response;
}

bool is_retryable(const std::exception_ptr& error) {
  if (!error || aio::is_cancellation(error)) return false;
  try {
    std::rethrow_exception(error);
  } catch (const HttpError& answer) {
    return answer.status() == 429 || answer.status() / 100 == 5;
  } catch (const aio::OsError&) {
    return true;
  } catch (const boost::system::system_error&) {
    return true;
  } catch (const IncompleteReadError&) {
    return true;
  } catch (...) {
    return false;
  }
}

asio::awaitable<std::string> fetch(std::string url, FetchOptions options) {
  std::exception_ptr failure;
  double factor = 1;
  for (std::int64_t attempt = 0; attempt < options.attempts; ++attempt) {
    if (attempt > 0) {
      co_await options.sleep(options.base_delay * factor);
      factor *= 2;
    }
    try {
      Response response = co_await aio::timeout(options.timeout, http_get(url));
      if (response.status == 200) co_return std::move(response.body);
      throw HttpError(url, response.status);
    } catch (...) {
      failure = std::current_exception();
    }
    if (!is_retryable(failure)) break;
  }
  if (!failure) no("at least one attempt is needed");
  std::rethrow_exception(failure);
}

asio::awaitable<Downloads> download_all(std::vector<std::string> urls, DownloadOptions options) {
  if (options.limit < 1) no("limit must be 1 or more");
  std::unordered_map<std::string, std::size_t> places;
  Downloads downloads;
  for (const auto& url : urls) {
    if (places.try_emplace(url, downloads.size()).second) downloads.emplace_back(url, "");
  }
  aio::Semaphore permits(options.limit);
  FetchOptions each;
  each.attempts = options.attempts;
  each.timeout = options.timeout;
  each.base_delay = options.base_delay;
  each.sleep = options.sleep;
  aio::TaskGroup group;
  std::exception_ptr failure;
  try {
    co_await group.run(start(group, downloads, permits, each));
  } catch (const aio::ExceptionGroup& failures) {
    failure = failures.exceptions().front();
  }
  if (failure) std::rethrow_exception(failure);
  co_return downloads;
}
