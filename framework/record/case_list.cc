#include "framework/record/case_list.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rigproof {
namespace {

template <class Type, class Plain>
concept Of = std::same_as<std::remove_const_t<Type>, Plain>;

// What is packed of a case, once for both ways.
template <class Archive>
void parts(Archive& archive, Of<Failure> auto& failure) {
  archive(failure.kind);
  archive(failure.type);
  archive(failure.message);
  archive(failure.node);
  archive(failure.rank);
  archive(failure.phase);
  archive(failure.where);
}

template <class Archive>
void parts(Archive& archive, Of<Attempt> auto& attempt) {
  archive(attempt.launch);
  archive(attempt.iteration);
  archive(attempt.started);
  archive(attempt.seconds);
  archive(attempt.measuring_s);
  archive(attempt.failures);
  archive(attempt.status);
  archive(attempt.place);
}

template <class Archive>
void parts(Archive& archive, Of<CaseRecord> auto& test) {
  archive(test.plan.name);  // first: see name_at()
  archive(test.suite);
  archive(test.plan.subject);
  archive(test.plan.nodes);
  archive(test.attempts);
  archive(test.running);
  archive(test.waiver);
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
  void operator()(const auto& whole) { parts(*this, whole); }
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
  void operator()(auto& whole) { parts(*this, whole); }

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

bool holds_measurements(const CaseRecord& test) {
  return std::ranges::any_of(test.attempts,
                             [](const Attempt& attempt) { return !attempt.measurements.empty(); });
}

}  // namespace

CaseList::CaseList(std::initializer_list<CaseRecord> cases) {
  for (const CaseRecord& test : cases) push_back(test);
}

CaseRecord CaseList::at(std::size_t index) const {
  CaseRecord buffer;
  if (const CaseRecord& test = read(index, buffer); &test != &buffer) return test;
  return buffer;
}

std::string CaseList::name_at(std::size_t index) const {
  const Slot& slot = slots_.at(index);
  if (const auto* test = std::get_if<std::shared_ptr<CaseRecord>>(&slot)) return (*test)->plan.name;
  std::string name;
  Unpacker unpacker(std::get<std::string>(slot));
  unpacker(name);
  return name;
}

CaseList::Iterator CaseList::begin() const { return {*this, 0}; }
CaseList::Iterator CaseList::end() const { return {*this, size()}; }

void CaseList::push_back(CaseRecord test) { slots_.push_back(kept(std::move(test))); }

CaseRecord* CaseList::in_memory(std::size_t index) {
  const auto* test = std::get_if<std::shared_ptr<CaseRecord>>(&slots_.at(index));
  return test != nullptr && test->use_count() == 1 ? test->get() : nullptr;
}

void CaseList::set(std::size_t index, CaseRecord test) { slots_.at(index) = kept(std::move(test)); }

CaseList::Slot CaseList::kept(CaseRecord test) {
  if (holds_measurements(test)) return std::make_shared<CaseRecord>(std::move(test));
  Packer packer;
  packer(test);
  return std::move(packer).take();
}

const CaseRecord& CaseList::read(std::size_t index, CaseRecord& buffer) const {
  const Slot& slot = slots_.at(index);
  if (const auto* test = std::get_if<std::shared_ptr<CaseRecord>>(&slot)) return **test;
  Unpacker unpacker(std::get<std::string>(slot));
  unpacker(buffer);
  return buffer;
}

}  // namespace rigproof
