#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "framework/record/recorded_text.h"
#include "framework/runner/rig_test.h"
#include "suites/preflight/facts_book.h"

namespace rigproof {

// A case that judges facts: those that the ranks read at the suite's first case, or those of a snapshot. Rank
// 0 judges for all nodes, so that both come to the same verdict.
template <class SubjectType>
class FactsCase : public RigTest<SubjectType> {
 protected:
  using Finding = RigTestBase::Finding;

  // Collective. Calls look_at(book) on rank 0; what stands below is for use in there. Facts that have a limit and
  // could not be read leave the case as not proven, once all others have been judged.
  template <class Look>
  void look(Look look_at) {
    std::optional<FactsBook>& book = book_of_this_process();
    if (!book) {
      FactsBook fresh = this->measure("read the facts", std::chrono::seconds(30), [&] {
        FactsBook read = this->snapshot().empty() ? read_book(this->rig(), this->ranks())
                                                  : load_book(this->rig(), this->snapshot());
        keep_book(read, this->rig());
        return read;
      });
      book = std::move(fresh);  // on every rank or on none
    }
    this->measure("look", std::chrono::seconds(5), [&] {
      if (this->ranks().rank() != 0) return;
      look_at(*book);
      if (!unread_.empty()) this->not_proven(unread_);
    });
  }

  // Judged where the thresholds have the limit, else recorded: that claims nothing.
  void judge(std::string_view id, const Found<std::string>& found, const Finding& finding) {
    judge_any(id, found, finding);
  }
  void judge(std::string_view id, const Found<Quantity>& found, const Finding& finding) {
    judge_any(id, found, finding);
  }
  void judge(std::string_view id, Quantity value, const Finding& finding) {
    judge_any(id, Found<Quantity>{value, {}}, finding);
  }

  // A sound rig may lack this fact, and then meets its limit.
  void record_nothing(std::string_view id, const std::string& why, const Finding& finding) {
    this->record(id, std::string(kNothingToJudge) + why, finding);
  }

 private:
  template <class Value>
  void judge_any(std::string_view id, const Found<Value>& found, const Finding& finding) {
    const bool wanted = this->has_limit(id);
    if (found.value && wanted) return this->report(id, *found.value, finding);
    if (found.value) return this->record(id, *found.value, finding);
    this->record(id, std::string(kNotRead) + found.why, finding);
    if (wanted) unread_ += (unread_.empty() ? "" : "; ") + found.why;
  }

  std::string unread_;  // why, of facts that have a limit
};

// A case about one half. A half whose netdev is not there has none of its facts: look_at_half() is not called
// then, and the case fails as absent under its own limit.
class HalfFacts : public FactsCase<HalfSubject> {
 protected:
  [[nodiscard]] const Half& half() const { return rig().half(subject().half); }
  [[nodiscard]] const std::string& netdev() const { return half().netdev; }
  [[nodiscard]] Finding finding() const { return {.node = subject().half.node}; }
  [[nodiscard]] const NodeFacts& of_node(const FactsBook& book) const { return book.at(subject().half.node); }

  // Collective: judges one text or number of this half's netdev; `absent` stands for a netdev that is not
  // there.
  void judge_text(std::string_view id, const char* fact) {
    look([&](const FactsBook& book) {
      judge(id, here_or_absent(book) ? find_text(of_node(book), {"netdevs", netdev(), fact}) : absent(),
            finding());
    });
  }
  void judge_texts(std::string_view id, const char* fact) {
    look([&](const FactsBook& book) {
      judge(id, here_or_absent(book) ? find_texts(of_node(book), {"netdevs", netdev(), fact}) : absent(),
            finding());
    });
  }
  void judge_number(std::string_view id, const char* fact, Dimension dimension) {
    look([&](const FactsBook& book) {
      const auto found = here_or_absent(book)
                             ? as(dimension, find_number(of_node(book), {"netdevs", netdev(), fact}))
                             : Found<Quantity>{Quantity{dimension, 0}, {}};
      judge(id, found, finding());
    });
  }

  // Whether the netdev is there; notes it when it is not. Not known: not proven.
  [[nodiscard]] bool here_or_absent(const FactsBook& book) {
    const auto there = has_netdev(of_node(book), netdev());
    if (!there) not_proven(find_text(of_node(book), {"netdevs", netdev()}).why);
    if (!*there) note(of_node(book).node() + " has no netdev " + netdev());
    return *there;
  }
  [[nodiscard]] static Found<std::string> absent() { return {"no such netdev", {}}; }
};

}  // namespace rigproof
