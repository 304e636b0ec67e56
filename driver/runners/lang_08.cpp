// SPDX-License-Identifier: MIT
// Runs one submission of lang.08.
#include "downloader.hpp"
#include "driver/fixtures/download_run.hpp"
#include "http.hpp"
#include "options.hpp"

#include <charconv>

namespace {

using fixtures::DownloadSettings;

template <class Options>
Options options_of(const DownloadSettings& settings) {
  Options options;
  if (settings.attempts) options.attempts = *settings.attempts;
  if (settings.timeout) options.timeout = *settings.timeout;
  if (settings.base_delay) options.base_delay = *settings.base_delay;
  if (settings.sleep) options.sleep = settings.sleep;
  return options;
}

class SubmittedDownloader final : public fixtures::Downloader {
 public:
  asio::awaitable<Answer> http_get(std::string url, Headers headers) override {
    Response response = co_await ::http_get(url, headers);
    co_return Answer{response.status, std::move(response.headers), std::move(response.body)};
  }

  bool is_retryable(const std::exception_ptr& error) override { return ::is_retryable(error); }

  asio::awaitable<std::string> fetch(std::string url, DownloadSettings settings) override {
    const auto options = options_of<FetchOptions>(settings);
    co_return co_await ::fetch(url, options);
  }

  asio::awaitable<Bodies> download_all(std::vector<std::string> urls,
                                       DownloadSettings settings) override {
    auto options = options_of<DownloadOptions>(settings);
    if (settings.limit) options.limit = *settings.limit;
    co_return co_await ::download_all(urls, options);
  }

  std::exception_ptr make_error(const std::string& name) override {
    if (name == "IncompleteReadError") return std::make_exception_ptr(IncompleteReadError("hell"));
    const std::string prefix = "HttpError ";
    if (!name.starts_with(prefix)) return nullptr;
    const int status = std::stoi(name.substr(prefix.size()));
    return std::make_exception_ptr(HttpError("http://127.0.0.1:8765/", status));
  }

  nlohmann::ordered_json describe(const std::exception_ptr& error) override {
    try {
      std::rethrow_exception(error);
    } catch (const HttpError& failure) {
      return {{"error", "HttpError"}, {"status", failure.status()}, {"url", failure.url()}};
    } catch (const IncompleteReadError& failure) {
      return {{"error", "IncompleteReadError"}, {"partial", failure.partial()}};
    } catch (...) {
      return nullptr;
    }
  }
};

}  // namespace

namespace runner {

const char* const exercise_slug = "lang.08";

asio::awaitable<Observation> run_case(RunContext& context) {
  static SubmittedDownloader downloader;
  return fixtures::run_download_case(context, downloader);
}

}  // namespace runner
