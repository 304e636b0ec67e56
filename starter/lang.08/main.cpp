// SPDX-License-Identifier: MIT
// Given: downloads the URLs that are its arguments, with a progress bar on a terminal, and prints
// the size of each. `ol serve lang.08` starts a server to try it on:
//     build/dev/download http://127.0.0.1:8765/hello.txt http://127.0.0.1:8765/slow.txt
#include "downloader.hpp"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

void show_progress(std::size_t done, std::size_t count) {
  constexpr std::size_t width = 40;
  const std::size_t filled = width * done / count;
  std::cerr << "\r[" << std::string(filled, '#') << std::string(width - filled, '.') << "] " << done
            << " of " << count << (done == count ? "\n" : "") << std::flush;
}

// In portions, so that there is progress to show.
asio::awaitable<void> download(std::vector<std::string> urls) {
  constexpr std::size_t portion_size = 16;
  const bool is_terminal = ::isatty(STDERR_FILENO) != 0;
  for (std::size_t done = 0; done < urls.size();) {
    const std::size_t end = std::min(done + portion_size, urls.size());
    std::vector<std::string> portion(urls.begin() + static_cast<std::ptrdiff_t>(done),
                                     urls.begin() + static_cast<std::ptrdiff_t>(end));
    DownloadOptions options;
    const Downloads downloads = co_await download_all(std::move(portion), options);
    done = end;
    if (is_terminal) show_progress(done, urls.size());
    for (const auto& [url, body] : downloads) {
      std::cout << url << ": " << body.size() << " bytes" << std::endl;
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> urls(arguments + std::min(count, 1), arguments + count);
  if (urls.empty()) urls = {"http://127.0.0.1:8765/hello.txt"};
  try {
    aio::run(download(std::move(urls)));
  } catch (const std::exception& error) {
    std::cerr << aio::repr(error) << std::endl;
    return 1;
  }
}
