// SPDX-License-Identifier: MIT
// aio::Semaphore: never more inside than permits, nobody overtaken, and no permit lost to a cancel.

#include "aio/semaphore.hpp"

#include "aio/sleep.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace aio::test {
namespace {

using namespace std::chrono_literals;

struct Section {
  explicit Section(std::int64_t permits) : semaphore(permits) {}

  Semaphore semaphore;
  int inside = 0;
  int most = 0;
  std::vector<int> order;
  std::chrono::nanoseconds last_left{0};
};

asio::awaitable<void> visit(Section* section, int id, std::chrono::duration<double> stay) {
  const Semaphore::Permit permit = co_await section->semaphore.acquire();
  section->order.push_back(id);
  section->most = std::max(section->most, ++section->inside);
  try {
    co_await sleep(stay);
  } catch (...) {
    --section->inside;
    throw;
  }
  --section->inside;
  section->last_left = now();
}

TEST(Semaphore, RefusesLessThanOnePermit) {
  EXPECT_THROW(Semaphore(0), std::invalid_argument);
  EXPECT_THROW(Semaphore(-1), std::invalid_argument);
  EXPECT_EQ(Semaphore(3).available(), 3);
}

TEST(Semaphore, LetsAsManyInAsItHasPermits) {
  under_all_schedules([](const std::string& schedule) {
    VirtualLoop loop(schedule);
    Section section(3);
    std::vector<Task<void>> tasks;
    for (int id = 0; id < 12; ++id) tasks.push_back(loop.spawn(visit(&section, id, 50ms)));
    loop.run_to_rest();

    EXPECT_EQ(section.most, 3);
    EXPECT_EQ(section.last_left, 200ms);
    EXPECT_EQ(section.semaphore.available(), 3);
  });
}

TEST(Semaphore, ServesTheLongestWaiterFirst) {
  VirtualLoop loop("fifo");
  Section section(1);
  std::vector<Task<void>> tasks;
  for (int id = 0; id < 4; ++id) tasks.push_back(loop.spawn(visit(&section, id, 10ms)));
  loop.run_to_rest();

  EXPECT_THAT(section.order, testing::ElementsAre(0, 1, 2, 3));
}

TEST(Semaphore, PassesThePermitOnWhenItsHolderFails) {
  VirtualLoop loop("fifo");
  Section section(1);
  const Task<void> holder = loop.spawn(visit(&section, 0, 1h));
  const Task<void> next = loop.spawn(visit(&section, 1, 10ms));
  const Task<void> canceller = loop.spawn(after(1ms, [&holder] { holder.cancel(); }));
  loop.run_to_rest();

  EXPECT_TRUE(holder.cancelled());
  EXPECT_EQ(outcome(next), "ok");
  EXPECT_EQ(section.last_left, 11ms);
}

TEST(Semaphore, MovesAPermit) {
  VirtualLoop loop("fifo");
  Semaphore semaphore(2);
  const auto body = [](Semaphore* from) -> asio::awaitable<void> {
    Semaphore::Permit first = co_await from->acquire();
    Semaphore::Permit second = co_await from->acquire();
    EXPECT_EQ(from->available(), 0);
    first = std::move(second);
    EXPECT_EQ(from->available(), 1);
  };
  const Task<void> task = loop.spawn(body(&semaphore));
  loop.run_to_rest();

  EXPECT_EQ(outcome(task), "ok");
  EXPECT_EQ(semaphore.available(), 2);
}

// Three visitors of a section for one, of which one is cancelled before step `when`.
bool cancel_one(const std::string& schedule, std::size_t victim, std::uint64_t when) {
  VirtualLoop loop(schedule);
  Section section(1);
  std::vector<Task<void>> tasks;
  for (int id = 0; id < 3; ++id) tasks.push_back(loop.spawn(visit(&section, id, 10ms)));
  loop.step(when);
  const bool is_running = tasks[victim].cancel();
  loop.run_to_rest();

  EXPECT_TRUE(std::ranges::all_of(tasks, [](const auto& task) { return task.done(); }));
  EXPECT_EQ(section.semaphore.available(), 1);
  EXPECT_EQ(section.most, 1);
  return is_running;
}

TEST(Semaphore, LosesNoPermitToACancellation) {
  under_all_schedules([](const std::string& schedule) {
    for (std::size_t victim = 0; victim < 3; ++victim) {
      for (std::uint64_t when = 0; cancel_one(schedule, victim, when); ++when) {
        if (testing::Test::HasFailure()) return;
      }
    }
  });
}

}  // namespace
}  // namespace aio::test
