// SPDX-License-Identifier: MIT
#include "downloader.hpp"

asio::awaitable<Response> http_get(std::string url, Headers headers) {
  // TODO(lang.08): connect, send the request, read the answer, close (D1 to D13, D33 to D43).
  static_cast<void>(url);
  static_cast<void>(headers);
  throw aio::NotImplemented("lang.08: http_get");
  co_return Response();
}

bool is_retryable(const std::exception_ptr& error) {
  // TODO(lang.08): the table of the statement (D14 to D17).
  static_cast<void>(error);
  throw aio::NotImplemented("lang.08: is_retryable");
}

asio::awaitable<std::string> fetch(std::string url, FetchOptions options) {
  // TODO(lang.08): attempts, each with its own timeout, and the waits between them (D18 to D27).
  static_cast<void>(url);
  static_cast<void>(options);
  throw aio::NotImplemented("lang.08: fetch");
  co_return "";
}

asio::awaitable<Downloads> download_all(std::vector<std::string> urls, DownloadOptions options) {
  // TODO(lang.08): a task for each URL, a semaphore, and one failure for all (D28 to D32).
  static_cast<void>(urls);
  static_cast<void>(options);
  throw aio::NotImplemented("lang.08: download_all");
  co_return Downloads();
}
