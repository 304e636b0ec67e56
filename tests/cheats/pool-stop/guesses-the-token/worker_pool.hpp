// SPDX-License-Identifier: MIT
// Cheat: writes a complete report with guessed tokens to every descriptor, the report pipe among
// them.
#pragma once

#include "aio/aio.hpp"
#include "driver/protocol/frame.hpp"
#include "item.hpp"
#include "options.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <unistd.h>
#include <utility>

inline void write_everywhere() {
  for (const std::uint64_t token : {0x0ULL, 0x1ULL, 0xFFFFFFFFFFFFFFFFULL}) {
    std::string report = protocol::encode_frame(0, token, R"({"r":"begin","run":0})");
    report += protocol::encode_frame(1, token, R"({"r":"report","report":{},"observed":{}})");
    report += protocol::encode_frame(2, token, R"({"r":"end","run":0,"events":0})");
    report += protocol::encode_frame(3, token, R"({"r":"bye","runs":1})");
    for (int fd = 3; fd < 64; ++fd) {
      if (::write(fd, report.data(), report.size()) < 0) continue;
    }
  }
}

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) {
    write_everywhere();
    co_return;
  }
};
