// SPDX-License-Identifier: MIT
//
// Slots with one form have no choice. The others are matched by augmenting paths: a slot may push
// another one out of a text, if that one finds room elsewhere.

#include "driver/judge/slots.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace driver {
namespace {

class Matching {
 public:
  Matching(std::vector<Slot>& slots, const std::vector<std::string>& texts)
      : slots_(slots), texts_(texts) {
    for (std::size_t index = texts.size(); index-- > 0;) {
      by_text_[texts[index]].free.push_back(index);  // from the back, so that the first is taken
    }
  }

  void run() {
    for (const int freedom : {0, 1, 2}) {
      for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        const int own = slots_[slot].is_optional ? 2 : slots_[slot].forms.size() > 1 ? 1 : 0;
        std::unordered_set<const Text*> visited;
        if (own == freedom) {
          place(slot, visited);
        }
      }
    }
    for (Slot& slot : slots_) {
      place_by_kind(slot);
    }
  }

  std::vector<std::size_t> rest() const {
    std::vector<std::size_t> rest;
    for (const auto& [text, entry] : by_text_) {
      rest.insert(rest.end(), entry.free.begin(), entry.free.end());
    }
    std::sort(rest.begin(), rest.end());
    return rest;
  }

 private:
  /// The places of one text that occurs any number of times.
  struct Text {
    std::vector<std::size_t> free;
    std::vector<std::size_t> movable;  ///< Slots in it that have other forms.
  };

  bool place(std::size_t slot, std::unordered_set<const Text*>& visited) {
    for (const std::string& form : slots_[slot].forms) {
      const auto found = by_text_.find(form);
      if (found == by_text_.end() || !visited.insert(&found->second).second) {
        continue;
      }
      Text& text = found->second;
      if (text.free.empty() && !push_one_out(text, visited)) {
        continue;
      }
      slots_[slot].matched = text.free.back();
      text.free.pop_back();
      if (slots_[slot].forms.size() > 1) {
        text.movable.push_back(slot);
      }
      return true;
    }
    return false;
  }

  bool push_one_out(Text& text, std::unordered_set<const Text*>& visited) {
    for (std::size_t index = 0; index < text.movable.size(); ++index) {
      const std::size_t other = text.movable[index];
      const std::size_t place_of_other = *slots_[other].matched;
      if (place(other, visited)) {
        text.free.push_back(place_of_other);
        text.movable.erase(text.movable.begin() + static_cast<std::ptrdiff_t>(index));
        return true;
      }
    }
    return false;
  }

  void place_by_kind(Slot& slot) {
    for (const std::string& kind : slot.any_of_kind) {
      std::size_t& index = next_of_kind_[kind];
      for (; index < texts_.size() && !slot.matched; ++index) {
        std::vector<std::size_t>& free = by_text_[texts_[index]].free;
        const auto place = std::find(free.rbegin(), free.rend(), index);
        if (texts_[index].starts_with(kind) && place != free.rend()) {
          free.erase(std::next(place).base());
          slot.matched = index;
        }
      }
    }
  }

  std::vector<Slot>& slots_;
  const std::vector<std::string>& texts_;
  std::unordered_map<std::string, Text> by_text_;
  std::unordered_map<std::string, std::size_t> next_of_kind_;  ///< Where to look on.
};

}  // namespace

std::vector<std::size_t> fill(std::vector<Slot>& slots, const std::vector<std::string>& texts) {
  Matching matching(slots, texts);
  matching.run();
  return matching.rest();
}

}  // namespace driver
