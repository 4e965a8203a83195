#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/record/fields.h"

namespace rigproof {

// Shows each text that an event holds, the keys of its maps too, with its path ("case_ended.measurements.id"), and
// takes what the visitor makes of it. All of an event's kinds and fields, by the list that the journal's codec reads.
class EveryText {
 public:
  using Visitor = std::function<void(const std::string& path, std::string& text)>;

  explicit EveryText(Visitor visit) : visit_(std::move(visit)) {}

  void in(record::EventBody& event) {
    std::visit(
        [this]<class Body>(Body& body) {
          path_ = record::kEventName<Body>;
          record::fields(*this, body);
        },
        event);
  }

  // As an archive of fields().
  void operator()(const char* key, auto& member) {
    const std::string outer = path_;
    path_ += std::string(".") + key;
    see(member);
    path_ = outer;
  }
  void constant(const char*, int) {}
  void unless_empty(const char* key, auto& member) { (*this)(key, member); }

 private:
  void see(std::string& text) { visit_(path_, text); }
  template <class Plain>
  requires(std::is_arithmetic_v<Plain> || std::is_enum_v<Plain>) void see(Plain&) {}
  template <class Value>
  void see(std::optional<Value>& maybe) {
    if (maybe) see(*maybe);
  }
  template <class Value>
  void see(std::vector<Value>& list) {
    for (Value& element : list) see(element);
  }
  template <class Value, class Compare>
  void see(std::map<std::string, Value, Compare>& map) {
    std::map<std::string, Value, Compare> seen;
    for (auto& [name, element] : map) {
      std::string key = name;
      visit_(path_ + " (a key)", key);
      see(element);
      seen.insert_or_assign(std::move(key), std::move(element));
    }
    map = std::move(seen);
  }
  template <class Struct>
  requires requires(EveryText& archive, Struct& plain) { record::fields(archive, plain); }
  void see(Struct& plain) { record::fields(*this, plain); }

  Visitor visit_;
  std::string path_;
};

}  // namespace rigproof
