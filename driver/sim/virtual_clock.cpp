// SPDX-License-Identifier: MIT
#include "driver/sim/virtual_clock.hpp"

#include "driver/sim/blocking.hpp"

#include <algorithm>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <unordered_map>

namespace sim::clock {
namespace {

// What the simulated event loop has told the system about itself.
struct Loop {
  int epoll_fd = -1;
  int timer_fd = -1;
  int interrupter_fd = -1;
  std::unordered_map<std::uint64_t, std::uint64_t> registered;  // by event data: which came when
  std::uint64_t registrations = 0;
  epoll_data_t timer_data{};
  std::optional<std::int64_t> alarm_ns;
  bool is_timer_due = false;
};

constexpr std::int64_t ns_per_second = 1'000'000'000;
// 2001-09-09T01:46:40Z: the moment at which the virtual calendar starts.
constexpr std::int64_t calendar_start_s = 1'000'000'000;

bool virtual_time = false;
std::int64_t current_ns = 0;
Loop loop;

int real_epoll_wait(int fd, epoll_event* events, int capacity, int timeout) {
  return static_cast<int>(
      ::syscall(SYS_epoll_pwait, fd, events, capacity, timeout, nullptr, sizeof(sigset_t)));
}

// When what an event is about was registered.
auto& registration_of(const epoll_event& event) {
  const std::uint64_t key = event.data.u64;  // a copy: the struct is packed
  return loop.registered[key];
}

// The kernel's order depends on who was quicker.
void sort_by_registration(epoll_event* first, epoll_event* last) {
  std::sort(first, last, [](const epoll_event& a, const epoll_event& b) {
    return registration_of(a) < registration_of(b);
  });
}

}  // namespace

void start() {
  virtual_time = true;
  current_ns = 0;
  loop = Loop{};
}

void stop() { virtual_time = false; }

bool is_virtual() { return virtual_time; }

std::int64_t now_ns() { return current_ns; }

void advance_to(std::int64_t time_ns) {
  current_ns = time_ns;
  loop.is_timer_due = true;
}

std::optional<std::int64_t> next_alarm_ns() { return loop.alarm_ns; }

bool has_sockets() { return !loop.registered.empty(); }

}  // namespace sim::clock

// The functions below replace the C library's for the whole process; with the real clock they do
// what the library does.
using sim::clock::current_ns;
using sim::clock::loop;
using sim::clock::ns_per_second;
using sim::clock::virtual_time;

extern "C" {

int clock_gettime(clockid_t id, timespec* time) noexcept {
  const bool is_cpu_time = id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
  if (!virtual_time || is_cpu_time) {
    return static_cast<int>(::syscall(SYS_clock_gettime, id, time));
  }
  const bool is_calendar = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
  time->tv_sec = current_ns / ns_per_second + (is_calendar ? sim::clock::calendar_start_s : 0);
  time->tv_nsec = current_ns % ns_per_second;
  return 0;
}

int gettimeofday(timeval* __restrict time, void* __restrict /*zone*/) noexcept {
  timespec now{};
  const int result = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return result;
}

time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

int epoll_create1(int flags) noexcept {
  const int fd = static_cast<int>(::syscall(SYS_epoll_create1, flags));
  if (virtual_time && loop.epoll_fd == -1) loop.epoll_fd = fd;
  return fd;
}

int timerfd_create(clockid_t id, int flags) noexcept {
  if (!virtual_time || loop.timer_fd != -1) {
    return static_cast<int>(::syscall(SYS_timerfd_create, id, flags));
  }
  loop.timer_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);  // any descriptor will do
  return loop.timer_fd;
}

int timerfd_settime(int fd, int flags, const itimerspec* value, itimerspec* old) noexcept {
  if (!virtual_time || fd != loop.timer_fd) {
    return static_cast<int>(::syscall(SYS_timerfd_settime, fd, flags, value, old));
  }
  const bool is_at_once = (flags & TFD_TIMER_ABSTIME) != 0;
  const std::int64_t delay = value->it_value.tv_sec * ns_per_second + value->it_value.tv_nsec;
  loop.alarm_ns = is_at_once ? current_ns : current_ns + delay;
  if (is_at_once) loop.is_timer_due = true;
  return 0;
}

int epoll_ctl(int epoll_fd, int operation, int fd, epoll_event* event) noexcept {
  if (virtual_time && epoll_fd == loop.epoll_fd) {
    if (fd == loop.timer_fd) {
      if (operation == EPOLL_CTL_ADD) loop.timer_data = event->data;
      return 0;
    }
    // Asio registers the descriptor that interrupts a blocked wait first; this loop never blocks.
    if (loop.interrupter_fd == -1 && operation == EPOLL_CTL_ADD) loop.interrupter_fd = fd;
    if (fd == loop.interrupter_fd) return 0;
    if (operation == EPOLL_CTL_ADD) {
      sim::clock::registration_of(*event) = ++loop.registrations;
    }
  }
  return static_cast<int>(::syscall(SYS_epoll_ctl, epoll_fd, operation, fd, event));
}

int epoll_wait(int epoll_fd, epoll_event* events, int capacity, int timeout) {
  if (!virtual_time || epoll_fd != loop.epoll_fd) {
    if (timeout != 0) sim::on_blocking_call("epoll_wait");
    return sim::clock::real_epoll_wait(epoll_fd, events, capacity, timeout);
  }
  // Only the simulation polls its loop. Somebody else who waits on it would wait for ever.
  if (timeout != 0) sim::on_blocking_call("io_context::run");
  int count = 0;
  if (loop.is_timer_due || (loop.alarm_ns && *loop.alarm_ns <= current_ns)) {
    loop.is_timer_due = false;
    loop.alarm_ns.reset();
    events[count].events = EPOLLIN;
    events[count].data = loop.timer_data;
    ++count;
  }
  if (!loop.registered.empty() && count < capacity) {
    const int ready = sim::clock::real_epoll_wait(epoll_fd, events + count, capacity - count, 0);
    if (ready > 0) {
      sim::clock::sort_by_registration(events + count, events + count + ready);
      count += ready;
    }
  }
  return count;
}

}  // extern "C"
