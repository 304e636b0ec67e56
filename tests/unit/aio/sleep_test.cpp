// SPDX-License-Identifier: MIT

#include "aio/sleep.hpp"

#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;
using testing::ElementsAre;

constexpr double infinity = std::numeric_limits<double>::infinity();

asio::awaitable<void> sleep_and_note(Seconds delay, Log* log) {
  co_await sleep(delay);
  log->push_back(std::to_string(now().count()));
}

TEST(Sleep, LastsExactlyAsLongAsItSays) {
  for (const std::chrono::nanoseconds delay :
       {1ns, 999ns, 1000ns, 1001ns, 1'000'001ns, 33'333'333ns, 3'600'000'000'001ns}) {
    EXPECT_EQ(run_virtually(sleep(delay)).time, delay);
  }
}

TEST(Sleep, TakesDecimalFractionsAtTheirWord) {
  EXPECT_EQ(run_virtually(sleep(Seconds(0.1))).time, 100ms);
  EXPECT_EQ(run_virtually(sleep(Seconds(0.7))).time, 700ms);
  EXPECT_EQ(run_virtually(sleep(Seconds(1e-9))).time, 1ns);
}

TEST(Sleep, IsNeverShorterThanItSays) {
  EXPECT_EQ(run_virtually(sleep(Seconds(1.5e-9))).time, 2ns);
}

TEST(Sleep, WakesInTheOrderOfTheDeadlines) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    for (const auto delay : {3ns, 1ns, 2ns}) loop.spawn(sleep_and_note(delay, &log));

    loop.run_to_rest();

    EXPECT_THAT(log, ElementsAre("1", "2", "3"));
  });
}

asio::awaitable<void> note_around_a_sleep(Seconds delay, std::string who, Log* log) {
  log->push_back(who + " before");
  co_await sleep(delay);
  log->push_back(who + " after");
}

TEST(Sleep, OfZeroLetsTheOthersRunFirst) {
  for (const Seconds delay : {Seconds(0), Seconds(-1), Seconds(-infinity)}) {
    Log log;
    VirtualLoop loop;
    loop.spawn(note_around_a_sleep(delay, "a", &log));
    const Task<void> last = loop.spawn(note_around_a_sleep(delay, "b", &log));

    loop.run(last);

    EXPECT_THAT(log, testing::UnorderedElementsAre("a before", "b before", "a after", "b after"));
    EXPECT_EQ(log[1], "b before");
    EXPECT_EQ(now(), 0ns);
  }
}

TEST(Sleep, WithoutEndLastsUntilItIsCancelled) {
  for (const Seconds delay : {Seconds(infinity), Seconds(1e300)}) {
    VirtualLoop loop;
    const Task<void> task = loop.spawn(sleep(delay));
    EXPECT_EQ(loop.run(task), sim::RunEnd::idle);

    task.cancel();
    loop.run_to_rest();

    EXPECT_EQ(outcome(task), "cancelled");
  }
}

TEST(Sleep, RejectsNan) {
  const Seconds nan(std::numeric_limits<double>::quiet_NaN());

  EXPECT_EQ(run_virtually(sleep(nan)).outcome, "ValueError('a delay must not be NaN')");
}

TEST(Sleep, CancelledLeavesNoTimerBehind) {
  VirtualLoop loop;
  const Task<void> task = loop.spawn(sleep(1h));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(now(), 1s);
  EXPECT_EQ(loop.simulation().outstanding(), 0U);
}

}  // namespace
}  // namespace aio::test
