// SPDX-License-Identifier: MIT
// A call that blocks the thread is noticed while a step runs. The calls below return at once.

#include "driver/sim/blocking.hpp"

#include "tests/unit/sim/simulated.hpp"

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <poll.h>
#include <semaphore.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string>& seen() {
  static std::vector<std::string> calls;
  return calls;
}

class Blocking : public testing::Test {
 protected:
  Blocking() {
    seen().clear();
    set_blocking_handler([](const char* call) { seen().emplace_back(call); });
  }
  ~Blocking() override { set_blocking_handler(nullptr); }

  // What is noticed when a step of a simulation makes `call`.
  static std::vector<std::string> in_a_step(std::function<void()> call) {
    Simulated simulation;
    asio::post(simulation.executor(), std::move(call));
    simulation.run();
    return seen();
  }
};

void sleep_for_a_moment() { std::this_thread::sleep_for(1ns); }

void wait_for_a_condition() {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  condition.wait_for(lock, 1ns);
}

void wait_until_a_time() {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  condition.wait_until(lock, std::chrono::system_clock::now());
}

void wait_for_a_future() {
  std::promise<int> promise;
  promise.get_future().wait_for(1ns);
}

void join_a_thread() {
  std::thread([] {}).join();
}

void wait_for_a_semaphore() {
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
  sem_destroy(&semaphore);
}

void poll_a_file(int timeout) {
  const int file = eventfd(0, EFD_CLOEXEC);
  pollfd ready{file, POLLOUT, 0};
  poll(&ready, 1, timeout);
  close(file);
}

void select_for(long microseconds) {
  timeval timeout{0, microseconds};
  select(0, nullptr, nullptr, nullptr, &timeout);
}

TEST_F(Blocking, SeesAThreadThatSleeps) {
  EXPECT_THAT(in_a_step(sleep_for_a_moment),
              ElementsAre(testing::HasSubstr("std::this_thread::sleep_for")));
}

TEST_F(Blocking, SeesTheSleepsOfC) {
  EXPECT_THAT(in_a_step([] {
                usleep(0);
                sleep(0);
              }),
              ElementsAre("usleep", "sleep"));
}

TEST_F(Blocking, SeesAConditionVariable) {
  EXPECT_THAT(in_a_step(wait_for_a_condition),
              ElementsAre(testing::HasSubstr("std::condition_variable::wait_for")));
}

TEST_F(Blocking, SeesAConditionVariableWithADeadline) {
  EXPECT_THAT(in_a_step(wait_until_a_time),
              ElementsAre(testing::HasSubstr("std::condition_variable::wait_until")));
}

TEST_F(Blocking, SeesAFutureThatIsNotReady) {
  EXPECT_THAT(in_a_step(wait_for_a_future),
              testing::Contains(testing::HasSubstr("std::future::get")));
}

TEST_F(Blocking, SeesAJoin) {
  EXPECT_THAT(in_a_step(join_a_thread), testing::Contains("pthread_join (std::thread::join)"));
}

TEST_F(Blocking, SeesASemaphore) {
  EXPECT_THAT(in_a_step(wait_for_a_semaphore), ElementsAre("sem_wait"));
}

TEST_F(Blocking, SeesAWaitForFiles) {
  EXPECT_THAT(in_a_step([] { poll_a_file(1000); }), ElementsAre("poll"));
}

TEST_F(Blocking, SeesASelectWithATimeout) {
  EXPECT_THAT(in_a_step([] { select_for(1); }), ElementsAre("select"));
}

TEST_F(Blocking, SeesNothingInALookThatDoesNotWait) {
  EXPECT_THAT(in_a_step([] {
                poll_a_file(0);
                select_for(0);
              }),
              IsEmpty());
}

TEST_F(Blocking, SeesNothingInAFutureThatIsReady) {
  EXPECT_THAT(in_a_step([] {
                std::promise<int> promise;
                promise.set_value(1);
                promise.get_future().get();
              }),
              IsEmpty());
}

TEST_F(Blocking, SeesNothingOutsideAStep) {
  sleep_for_a_moment();
  in_a_step([] {});
  sleep_for_a_moment();

  EXPECT_THAT(seen(), IsEmpty());
}

TEST_F(Blocking, SeesNothingAfterAStepThatThrew) {
  EXPECT_THROW(in_a_step([] { throw 1; }), int);
  sleep_for_a_moment();

  EXPECT_THAT(seen(), IsEmpty());
}

TEST_F(Blocking, IsSilentWithoutAHandler) {
  set_blocking_handler(nullptr);

  EXPECT_THAT(in_a_step(sleep_for_a_moment), IsEmpty());
}

}  // namespace
}  // namespace sim::test
