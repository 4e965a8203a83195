#include "framework/judge/judged_run.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "framework/record/fields.h"

namespace rigproof::judge {
namespace {

using record::fields;

template <class Archive>
void fields(Archive& archive, record::Of<Attempt> auto& attempt) {
  archive("launch", attempt.launch);
  archive("iteration", attempt.iteration);
  archive("started", attempt.started);
  archive("seconds", attempt.seconds);
  archive("measuring_s", attempt.measuring_s);
  archive("failures", attempt.failures);
  archive("status", attempt.status);
  archive("waivers", attempt.waivers);
  archive("only_slow", attempt.only_slow);
  archive("beside", attempt.beside);
  archive("replaced", attempt.replaced);
  archive("lost", attempt.lost);
  archive("alone", attempt.alone);
  archive("place", attempt.place);
}

template <class Archive>
void fields(Archive& archive, record::Of<JudgedCase> auto& test) {
  archive("plan", test.plan);  // must be first, and its name first in it: see name_at()
  archive("suite", test.suite);
  archive("attempts", test.attempts);
  archive("running", test.running);
  archive("waiver", test.waiver);
}

template <class Type>
concept Plain = std::is_trivially_copyable_v<Type>;

class Packer {
 public:
  void operator()(const Plain auto& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  template <class Element>
  void operator()(const std::vector<Element>& list) {
    (*this)(static_cast<std::uint32_t>(list.size()));
    for (const Element& element : list) (*this)(element);
  }
  void operator()(const auto& whole) { fields(*this, whole); }
  void operator()(std::string_view, const auto& field) { (*this)(field); }
  void unless_empty(std::string_view, const auto& field) { (*this)(field); }
  [[nodiscard]] std::string take() && {
    bytes_.shrink_to_fit();
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  void operator()(Plain auto& value) { std::memcpy(&value, next(sizeof value).data(), sizeof value); }
  void operator()(std::string& text) { text = next(size()); }
  template <class Element>
  void operator()(std::vector<Element>& list) {
    list.resize(size(), Element{});
    for (Element& element : list) (*this)(element);
  }
  void operator()(auto& whole) { fields(*this, whole); }
  void operator()(std::string_view, auto& field) { (*this)(field); }
  void unless_empty(std::string_view, auto& field) { (*this)(field); }

 private:
  std::size_t size() {
    std::uint32_t size = 0;
    (*this)(size);
    return size;
  }
  std::string_view next(std::size_t size) {
    const std::string_view piece = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return piece;
  }

  std::string_view bytes_;
};

// Most attempts of a packed case: each new attempt packs all of them again.
constexpr std::size_t kMostPacked = 8;

bool stays_whole(const JudgedCase& test) {
  return test.attempts.size() > kMostPacked || std::ranges::any_of(test.attempts, [](const Attempt& attempt) {
           return !attempt.measurements.empty();
         });
}

}  // namespace

CaseList::CaseList(std::initializer_list<JudgedCase> cases) {
  for (const JudgedCase& test : cases) push_back(test);
}

JudgedCase CaseList::at(std::size_t index) const {
  JudgedCase buffer;
  if (const JudgedCase& test = read(index, buffer); &test != &buffer) return test;
  return buffer;
}

std::string CaseList::name_at(std::size_t index) const {
  const Slot& slot = slots_.at(index);
  if (const auto* test = std::get_if<std::shared_ptr<JudgedCase>>(&slot)) return (*test)->plan.name;
  std::string name;
  Unpacker unpacker(std::get<std::string>(slot));
  unpacker(name);
  return name;
}

record::PlannedCase CaseList::plan_at(std::size_t index) const {
  const Slot& slot = slots_.at(index);
  if (const auto* test = std::get_if<std::shared_ptr<JudgedCase>>(&slot)) return (*test)->plan;
  record::PlannedCase plan;
  Unpacker unpacker(std::get<std::string>(slot));
  unpacker(plan);
  return plan;
}

CaseList::Iterator CaseList::begin() const { return {*this, 0}; }
CaseList::Iterator CaseList::end() const { return {*this, size()}; }

void CaseList::push_back(JudgedCase test) { slots_.push_back(kept(std::move(test))); }

JudgedCase* CaseList::in_memory(std::size_t index) {
  const auto* test = std::get_if<std::shared_ptr<JudgedCase>>(&slots_.at(index));
  return test != nullptr && test->use_count() == 1 ? test->get() : nullptr;
}

void CaseList::set(std::size_t index, JudgedCase test) { slots_.at(index) = kept(std::move(test)); }

CaseList::Slot CaseList::kept(JudgedCase test) {
  if (stays_whole(test)) return std::make_shared<JudgedCase>(std::move(test));
  Packer packer;
  packer(test);
  return std::move(packer).take();
}

const JudgedCase& CaseList::read(std::size_t index, JudgedCase& buffer) const {
  const Slot& slot = slots_.at(index);
  if (const auto* test = std::get_if<std::shared_ptr<JudgedCase>>(&slot)) return **test;
  Unpacker unpacker(std::get<std::string>(slot));
  unpacker(buffer);
  return buffer;
}

}  // namespace rigproof::judge
