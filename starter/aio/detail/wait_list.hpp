// SPDX-License-Identifier: MIT
// The waiters of an Event, a Queue or a Task, in the order in which they came. Entries unlink
// themselves, and a list that dies first lets go of its entries.
#pragma once

namespace aio::detail {

class WaitList;

// One entry of a WaitList; notify() is called at most once, after the entry has left the list.
class WaitEntry {
 public:
  WaitEntry() = default;
  WaitEntry(const WaitEntry&) = delete;
  WaitEntry& operator=(const WaitEntry&) = delete;
  virtual ~WaitEntry();

  virtual void notify() = 0;

 protected:
  void unlink();

 private:
  friend class WaitList;
  WaitList* list_ = nullptr;
  WaitEntry* previous_ = nullptr;
  WaitEntry* next_ = nullptr;
};

class WaitList {
 public:
  WaitList() = default;
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;
  ~WaitList() {
    while (first_) first_->unlink();
  }

  bool empty() const { return first_ == nullptr; }

  void push_back(WaitEntry& entry) {
    entry.list_ = this;
    entry.previous_ = last_;
    (last_ ? last_->next_ : first_) = &entry;
    last_ = &entry;
  }

  void notify_one() {
    if (!first_) return;
    WaitEntry& entry = *first_;
    entry.unlink();
    entry.notify();
  }

  void notify_all() {
    while (first_) notify_one();
  }

 private:
  friend class WaitEntry;
  WaitEntry* first_ = nullptr;
  WaitEntry* last_ = nullptr;
};

inline WaitEntry::~WaitEntry() { unlink(); }

inline void WaitEntry::unlink() {
  if (!list_) return;
  (previous_ ? previous_->next_ : list_->first_) = next_;
  (next_ ? next_->previous_ : list_->last_) = previous_;
  list_ = nullptr;
  previous_ = next_ = nullptr;
}

}  // namespace aio::detail
