// SPDX-License-Identifier: MIT
// aio::ContextVar<T>: a value that belongs to the running task. A task starts with a copy of the
// values of the task that spawned it; what it sets itself is seen by nobody else.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace aio {

/// The values of all context variables that one task sees.
/// Lifetime: copies share storage until one of them is changed, so a copy costs O(1).
class Context {
 public:
  const void* find(std::uint64_t key) const {
    if (!values_) return nullptr;
    const auto found = values_->find(key);
    return found == values_->end() ? nullptr : found->second.get();
  }

  void store(std::uint64_t key, std::shared_ptr<const void> value) {
    auto changed = values_ ? std::make_shared<Values>(*values_) : std::make_shared<Values>();
    changed->insert_or_assign(key, std::move(value));
    values_ = std::move(changed);
  }

 private:
  using Values = std::map<std::uint64_t, std::shared_ptr<const void>>;
  std::shared_ptr<const Values> values_;
};

namespace detail {

// The context of the task that is running on this thread; outside any task, the thread's own one.
inline Context*& current_context() {
  thread_local Context outside;
  thread_local Context* current = &outside;
  return current;
}

inline std::uint64_t next_context_key() {
  static std::uint64_t last = 0;
  return ++last;
}

}  // namespace detail

/// A value of type T that each task has for itself.
/// Example: `aio::ContextVar<std::string> request("none"); request.set("GET /");`
template <class T>
class ContextVar {
 public:
  explicit ContextVar(T initial = T()) : initial_(std::move(initial)) {}
  ContextVar(const ContextVar&) = delete;
  ContextVar& operator=(const ContextVar&) = delete;

  /// The running task's value, or the initial one when nothing was set.
  const T& get() const {
    const void* found = detail::current_context()->find(key_);
    return found ? *static_cast<const T*>(found) : initial_;
  }

  /// Sets the value for the running task and for the tasks that it spawns from now on.
  void set(T value) {
    detail::current_context()->store(key_, std::make_shared<const T>(std::move(value)));
  }

 private:
  std::uint64_t key_ = detail::next_context_key();
  T initial_;
};

}  // namespace aio
