#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "framework/record/case_record.h"

namespace rigproof {

// The cases of a suite in the order of its plan. One with nothing measured in memory is kept packed, in some 200 bytes:
// a run of a million cases fits. So a case is had by value, and a loop's is gone with its turn.
class CaseList {
 public:
  class Iterator;

  CaseList() = default;
  CaseList(std::initializer_list<CaseRecord> cases);

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] bool empty() const { return slots_.empty(); }
  [[nodiscard]] CaseRecord at(std::size_t index) const;        // throws std::out_of_range
  [[nodiscard]] std::string name_at(std::size_t index) const;  // of its plan
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  void push_back(CaseRecord test);
  // Puts back what `edit` made of the case.
  template <class Edit>
  void change(std::size_t index, const Edit& edit) {
    if (CaseRecord* own = in_memory(index)) return void(edit(*own));
    CaseRecord test = at(index);
    edit(test);
    set(index, std::move(test));
  }

 private:
  using Slot = std::variant<std::string, std::shared_ptr<CaseRecord>>;
  [[nodiscard]] static Slot kept(CaseRecord test);
  [[nodiscard]] const CaseRecord& read(std::size_t index, CaseRecord& buffer) const;
  [[nodiscard]] CaseRecord* in_memory(std::size_t index);  // nullptr: packed, or a copy shares it
  void set(std::size_t index, CaseRecord test);

  std::vector<Slot> slots_;
};

// What it points to lives as long as it stays there.
class CaseList::Iterator {
 public:
  using value_type = CaseRecord;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using pointer = const CaseRecord*;
  using reference = const CaseRecord&;

  Iterator() = default;
  Iterator(const CaseList& list, std::size_t index) : list_(&list), index_(index) {}

  const CaseRecord& operator*() const { return list_->read(index_, buffer_); }
  Iterator& operator++() {
    ++index_;
    return *this;
  }
  void operator++(int) { ++index_; }
  bool operator==(const Iterator& other) const { return index_ == other.index_; }

 private:
  const CaseList* list_ = nullptr;
  std::size_t index_ = 0;
  mutable CaseRecord buffer_;
};

}  // namespace rigproof
