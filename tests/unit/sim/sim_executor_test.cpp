// SPDX-License-Identifier: MIT

#include "driver/sim/sim_executor.hpp"

#include "tests/unit/sim/simulated.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>
#include <gtest/gtest.h>

#include <utility>

namespace sim::test {
namespace {

namespace execution = asio::execution;

TEST(SimExecutor, CountsAsWorkWhileItIsTracked) {
  Simulated simulation;
  {
    const auto tracked = asio::prefer(simulation.executor(), execution::outstanding_work.tracked);
    EXPECT_EQ(simulation->outstanding(), 1U);
    const auto copy = tracked;
    EXPECT_EQ(simulation->outstanding(), 2U);
  }

  EXPECT_EQ(simulation->outstanding(), 0U);
}

TEST(SimExecutor, DoesNotCountWhenItIsUntracked) {
  Simulated simulation;
  const SimExecutor tracked = SimExecutor(*simulation).require(execution::outstanding_work.tracked);

  const SimExecutor untracked = tracked.require(execution::outstanding_work.untracked);

  EXPECT_NE(tracked, untracked);
  EXPECT_EQ(simulation->outstanding(), 1U);
}

TEST(SimExecutor, CountsRightAfterAssignments) {
  Simulated simulation;
  const SimExecutor plain(*simulation);
  SimExecutor assigned = plain.require(execution::outstanding_work.tracked);
  EXPECT_EQ(simulation->outstanding(), 1U);

  assigned = plain;
  EXPECT_EQ(simulation->outstanding(), 0U);
}

TEST(SimExecutor, EqualsAnExecutorOfTheSameKind) {
  Simulated simulation;
  const SimExecutor plain(*simulation);
  const SimExecutor never = plain.require(execution::blocking.never);

  EXPECT_EQ(plain, SimExecutor(*simulation));
  EXPECT_NE(plain, never);
  EXPECT_EQ(plain, never.require(execution::blocking.possibly));
}

TEST(SimExecutor, SaysThatItMayBlock) {
  Simulated simulation;
  const SimExecutor plain(*simulation);

  EXPECT_EQ(plain.query(execution::blocking), execution::blocking.possibly);
  EXPECT_EQ(plain.require(execution::blocking.never).query(execution::blocking),
            execution::blocking.never);
}

}  // namespace
}  // namespace sim::test
