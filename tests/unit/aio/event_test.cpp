// SPDX-License-Identifier: MIT

#include "aio/event.hpp"

#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

asio::awaitable<void> wait_and_note(Event* event, std::string who, Log* log) {
  co_await event->wait();
  log->push_back(std::move(who));
}

TEST(Event, IsDownAtFirst) {
  const Event event;

  EXPECT_FALSE(event.is_set());
}

TEST(Event, WakesEverybodyWhoWaits) {
  Log log;
  VirtualLoop loop;
  Event event;
  loop.spawn(wait_and_note(&event, "first", &log));
  loop.spawn(wait_and_note(&event, "second", &log));
  loop.spawn(after(2s, [&] { event.set(); }));

  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("first", "second"));
  EXPECT_TRUE(event.is_set());
}

TEST(Event, LetsAWaitThroughWhileItIsUp) {
  Event event;
  event.set();

  const RunResult run = run_virtually(event.wait());

  EXPECT_EQ(run.outcome, "ok");
}

TEST(Event, KeepsAWaitBackAfterItWasCleared) {
  Event event;
  event.set();
  event.clear();

  const RunResult run = run_virtually(event.wait());

  EXPECT_EQ(run.end, sim::RunEnd::idle);
}

TEST(Event, WakesWhoWaitedEvenWhenItIsClearedAtOnce) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    Event event;
    loop.spawn(wait_and_note(&event, "waiter", &log));
    loop.run_to_rest();

    event.set();
    event.clear();
    loop.run_to_rest();

    EXPECT_THAT(log, ElementsAre("waiter"));
  });
}

TEST(Event, StaysAsItIsWhenAWaitIsCancelled) {
  VirtualLoop loop;
  Event event;
  const Task<void> cancelled = loop.spawn(event.wait());
  const Task<void> other = loop.spawn(event.wait());
  loop.run_to_rest();

  cancelled.cancel();
  loop.run_to_rest();

  EXPECT_EQ(outcome(cancelled), "cancelled");
  EXPECT_EQ(outcome(other), "running");
  EXPECT_FALSE(event.is_set());
}

}  // namespace
}  // namespace aio::test
