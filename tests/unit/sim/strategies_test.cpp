// SPDX-License-Identifier: MIT
// In which order the strategies let steps run.

#include "driver/sim/strategies.hpp"

#include "driver/sim/simulation.hpp"
#include "tests/unit/sim/simulated.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sim::test {
namespace {

// Posts a chain of `length` steps that write down `name`.
void post_chain(asio::any_io_executor executor, char name, int length, std::string* order) {
  if (length == 0) return;
  asio::post(executor, [=] {
    order->push_back(name);
    post_chain(executor, name, length - 1, order);
  });
}

// In which order a number of chains, named a, b, c and so on, run.
std::string order_of(const std::string& schedule, int chains, int length) {
  Simulated simulation(schedule);
  std::string order;
  for (int i = 0; i < chains; ++i) {
    post_chain(simulation.executor(), static_cast<char>('a' + i), length, &order);
  }
  simulation.run();
  return order;
}

struct Exploration {
  std::set<std::string> orders;
  int runs = 0;
};

Exploration explore(int chains, int length) {
  Exploration found;
  std::optional<protocol::Path> path = protocol::Path();
  while (path) {
    PathStrategy strategy(*path);
    std::string order;
    {
      Simulation simulation(strategy, {});
      for (int i = 0; i < chains; ++i) {
        post_chain(simulation.executor(), static_cast<char>('a' + i), length, &order);
      }
      simulation.run_to_rest(1000);
    }
    found.orders.insert(order);
    ++found.runs;
    path = strategy.next_path();
  }
  clock::stop();
  return found;
}

TEST(Fifo, RunsTheOldestFirst) { EXPECT_EQ(order_of("fifo", 3, 2), "abcabc"); }

TEST(Lifo, RunsTheYoungestFirst) { EXPECT_EQ(order_of("lifo", 3, 2), "ccbbaa"); }

class SeededStrategy : public testing::TestWithParam<std::string> {
 protected:
  static std::string with_seed(int seed) { return GetParam() + ":" + std::to_string(seed); }
};

TEST_P(SeededStrategy, RepeatsItselfForASeed) {
  for (int seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(order_of(with_seed(seed), 4, 4), order_of(with_seed(seed), 4, 4)) << seed;
  }
}

TEST_P(SeededStrategy, MeetsEveryOrderOfThreeSteps) {
  std::set<std::string> orders;
  for (int seed = 0; seed < 100; ++seed) orders.insert(order_of(with_seed(seed), 3, 1));

  EXPECT_EQ(orders.size(), 6U);
}

TEST_P(SeededStrategy, RunsEveryStepOnce) {
  for (int seed = 0; seed < 50; ++seed) {
    std::string order = order_of(with_seed(seed), 3, 3);
    std::ranges::sort(order);

    EXPECT_EQ(order, "aaabbbccc");
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, SeededStrategy, testing::Values("random", "pos", "pct"),
                         [](const auto& name) { return name.param; });

TEST(Pct, OfDepthOneRunsOneChainAfterTheOther) {
  for (int seed = 0; seed < 50; ++seed) {
    const std::string order = order_of("pct:" + std::to_string(seed) + ":1", 2, 5);

    EXPECT_TRUE(order == "aaaaabbbbb" || order == "bbbbbaaaaa") << order;
  }
}

TEST(Pct, OfMoreDepthChangesBetweenChains) {
  int changed = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const std::string order = order_of("pct:" + std::to_string(seed) + ":3", 2, 20);
    if (order.find("ba") != std::string::npos && order.find("ab") != std::string::npos) ++changed;
  }

  EXPECT_GT(changed, 20);
}

TEST(Path, ChoosesTheGivenIndexAndThenTheFirst) {
  EXPECT_EQ(order_of("path:", 3, 1), "abc");
  EXPECT_EQ(order_of("path:0=2", 3, 1), "cab");
  EXPECT_EQ(order_of("path:0=1.1=1", 3, 1), "bca");
}

TEST(Path, TakesTheLastChoiceForAnIndexBeyondIt) { EXPECT_EQ(order_of("path:0=9", 3, 1), "cab"); }

TEST(Exhaustive, MeetsEachOrderOfIndependentStepsOnce) {
  const Exploration three = explore(3, 1);
  const Exploration four = explore(4, 1);

  EXPECT_EQ(three.runs, 6);
  EXPECT_EQ(three.orders.size(), 6U);
  EXPECT_EQ(four.runs, 24);
  EXPECT_EQ(four.orders.size(), 24U);
}

TEST(Exhaustive, MeetsEachInterleavingOfTwoChainsOnce) {
  const Exploration found = explore(2, 3);

  EXPECT_EQ(found.runs, 20);
  EXPECT_EQ(found.orders.size(), 20U);
}

TEST(Exhaustive, HasOnePathWithoutChoices) { EXPECT_EQ(explore(1, 3).runs, 1); }

TEST(Late, LetsTimePassBeforeAStepThatIsReady) {
  std::set<std::string> orders;
  for (int seed = 0; seed < 100; ++seed) {
    Simulated simulation("late:" + std::to_string(seed));
    std::string order;
    asio::steady_timer timer(simulation.executor(), std::chrono::seconds(5));
    timer.async_wait([&order](const boost::system::error_code&) { order += 't'; });
    post_chain(simulation.executor(), 'a', 1, &order);
    simulation.run();
    orders.insert(order);
  }

  EXPECT_EQ(orders, (std::set<std::string>{"at", "ta"}));
}

TEST(TellingStrategy, TellsThePathThatRepeatsTheRun) {
  for (int seed = 0; seed < 20; ++seed) {
    protocol::Schedule told{.kind = protocol::StrategyKind::path};
    const std::string name = "random:" + std::to_string(seed);
    TellingStrategy strategy(make_strategy(protocol::parse_schedule(name).value()),
                             [&told](auto place, auto index) { told.path[place] = index; });
    std::string order;
    {
      Simulation simulation(strategy, {});
      for (const char chain : {'a', 'b', 'c'}) {
        post_chain(simulation.executor(), chain, 3, &order);
      }
      simulation.run_to_rest(1000);
    }
    clock::stop();

    EXPECT_EQ(order_of(protocol::to_string(told), 3, 3), order) << seed;
  }
}

TEST(Exhaustive, StartsWithTheFirstPath) { EXPECT_EQ(order_of("exhaustive", 3, 1), "abc"); }

}  // namespace
}  // namespace sim::test
