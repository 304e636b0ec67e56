// SPDX-License-Identifier: MIT
// For tools/bench downloads: fetches the URLs that come on standard input, so many at a time, and
// prints how many microseconds download_all took. Then writes each body to a file of its URL's last
// part, so that somebody can look whether it is right.
#include "downloader.hpp"

#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>

namespace {

asio::awaitable<void> download(std::vector<std::string> urls, std::string folder,
                               std::int64_t limit) {
  DownloadOptions options;
  options.limit = limit;
  options.timeout = std::chrono::seconds(600);
  const auto start = std::chrono::steady_clock::now();
  const Downloads downloads = co_await download_all(std::move(urls), options);
  const auto took = std::chrono::steady_clock::now() - start;
  std::cout << std::chrono::duration_cast<std::chrono::microseconds>(took).count() << std::endl;
  for (const auto& [url, body] : downloads) {
    std::ofstream file(folder + "/" + url.substr(url.rfind('/') + 1), std::ios::binary);
    file.write(body.data(), static_cast<std::streamsize>(body.size()));
    if (!file.flush()) throw std::runtime_error("cannot write to " + folder);
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::int64_t limit = 0;
  if (count == 3) {
    std::from_chars(arguments[2], arguments[2] + std::strlen(arguments[2]), limit);
  }
  if (limit < 1) {
    std::cerr << "usage: downloads_bench FOLDER LIMIT <URLS" << std::endl;
    return 2;
  }
  std::vector<std::string> urls;
  for (std::string url; std::getline(std::cin, url);) urls.push_back(url);
  try {
    aio::run(download(std::move(urls), arguments[1], limit));
  } catch (const std::exception& error) {
    std::cerr << aio::repr(error) << std::endl;
    return 1;
  }
}
