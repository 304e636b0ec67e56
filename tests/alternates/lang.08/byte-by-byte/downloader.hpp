// SPDX-License-Identifier: MIT
// Downloads over HTTP/1.1: one exchange, one file with retries, and many files side by side.
#pragma once

#include "aio/aio.hpp"
#include "http.hpp"
#include "options.hpp"

#include <exception>
#include <string>
#include <utility>
#include <vector>

/// URL and body, in the order in which the URLs were given.
using Downloads = std::vector<std::pair<std::string, std::string>>;

/// Sends one GET over a connection of its own and reads the answer, whatever its status.
/// Errors: std::invalid_argument for a URL or header that cannot be sent, and for an answer that
/// is not HTTP/1; IncompleteReadError when the connection ends before the answer is whole;
/// boost::system::system_error when the network fails.
/// Cancel: closes the connection and passes it on.
asio::awaitable<Response> http_get(std::string url, Headers headers = {});

/// Whether a later attempt may not meet this failure: a status of 429 or 500 to 599, a connection
/// that was cut, refused or reset, a timeout.
bool is_retryable(const std::exception_ptr& error);

/// The body of a 200. What is worth a retry is tried again, up to `attempts` times in all, with a
/// wait of base_delay * 2^(n-1) after the n-th attempt.
/// Errors: the last attempt's failure; HttpError for any other status.
/// Cancel: closes the connection and passes it on.
asio::awaitable<std::string> fetch(std::string url, FetchOptions options = {});

/// Fetches every distinct URL, at most `limit` at a time.
/// Errors: std::invalid_argument when `limit` is less than 1; else the first failure itself, once
/// the other downloads have been cancelled and have ended.
/// Cancel: cancels all downloads, waits for them and passes it on.
asio::awaitable<Downloads> download_all(std::vector<std::string> urls,
                                        DownloadOptions options = {});
