// SPDX-License-Identifier: MIT
#include "driver/sim/blocking.hpp"

#include <cstdarg>
#include <cstdlib>
#include <dlfcn.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace sim {
namespace {

BlockingHandler blocking_handler = nullptr;
bool in_step = false;

template <class Function>
Function* next_definition(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

void set_blocking_handler(BlockingHandler handler) { blocking_handler = handler; }
void set_in_step(bool value) { in_step = value; }
bool is_in_step() { return in_step; }

void on_blocking_call(const char* call) {
  if (blocking_handler && in_step) blocking_handler(call);
}

}  // namespace sim

// The calls that put a thread to sleep, replaced for the whole process. Each tells the detector and
// then does what the C library does.
extern "C" {

int nanosleep(const timespec* request, timespec* remaining) {
  sim::on_blocking_call("nanosleep (std::this_thread::sleep_for)");
  return static_cast<int>(::syscall(SYS_nanosleep, request, remaining));
}

int clock_nanosleep(clockid_t id, int flags, const timespec* request, timespec* remaining) {
  sim::on_blocking_call("clock_nanosleep (std::this_thread::sleep_for)");
  return static_cast<int>(::syscall(SYS_clock_nanosleep, id, flags, request, remaining));
}

int usleep(useconds_t microseconds) {
  sim::on_blocking_call("usleep");
  const timespec request{static_cast<time_t>(microseconds / 1'000'000),
                         static_cast<long>(microseconds % 1'000'000) * 1000};
  return static_cast<int>(::syscall(SYS_nanosleep, &request, nullptr));
}

unsigned sleep(unsigned seconds) {
  sim::on_blocking_call("sleep");
  const timespec request{static_cast<time_t>(seconds), 0};
  ::syscall(SYS_nanosleep, &request, nullptr);
  return 0;
}

int poll(pollfd* fds, nfds_t count, int timeout) {
  if (timeout != 0) sim::on_blocking_call("poll");
  return static_cast<int>(::syscall(SYS_poll, fds, count, timeout));
}

int select(int count, fd_set* __restrict read, fd_set* __restrict write, fd_set* __restrict except,
           timeval* __restrict timeout) {
  if (!timeout || timeout->tv_sec != 0 || timeout->tv_usec != 0) sim::on_blocking_call("select");
  return static_cast<int>(::syscall(SYS_select, count, read, write, except, timeout));
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  sim::on_blocking_call("pthread_cond_wait (std::condition_variable::wait)");
  static auto* const next =
      sim::next_definition<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait");
  return next(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex,
                           const timespec* __restrict deadline) {
  sim::on_blocking_call("pthread_cond_timedwait (std::condition_variable::wait_until)");
  static auto* const next =
      sim::next_definition<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>(
          "pthread_cond_timedwait");
  return next(condition, mutex, deadline);
}

int pthread_cond_clockwait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex,
                           clockid_t id, const timespec* __restrict deadline) {
  sim::on_blocking_call("pthread_cond_clockwait (std::condition_variable::wait_for)");
  static auto* const next =
      sim::next_definition<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
          "pthread_cond_clockwait");
  return next(condition, mutex, id, deadline);
}

int pthread_join(pthread_t thread, void** result) {
  sim::on_blocking_call("pthread_join (std::thread::join)");
  static auto* const next = sim::next_definition<int(pthread_t, void**)>("pthread_join");
  return next(thread, result);
}

int sem_wait(sem_t* semaphore) {
  sim::on_blocking_call("sem_wait");
  static auto* const next = sim::next_definition<int(sem_t*)>("sem_wait");
  return next(semaphore);
}

// std::atomic::wait and std::future::wait call the futex directly.
long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const bool is_futex_wait =
      number == SYS_futex && ((arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT ||
                              (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET);
  if (is_futex_wait) sim::on_blocking_call("futex wait (std::atomic::wait, std::future::get)");
  static auto* const next = sim::next_definition<long(long, ...)>("syscall");
  return next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
              arguments[5]);
}

}  // extern "C"
