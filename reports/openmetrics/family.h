#pragma once

#include <cstdio>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace rigproof {

// One metric family: its samples are collected and then written together, as the format demands. What does not
// fit a small buffer waits in an unnamed temporary file. Of this folder only.
class MetricFamily {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // `unit` is the end of the name, or empty.
  MetricFamily(std::string name, std::string_view type, std::string_view unit, std::string_view help);

  // `suffix`: "_info" for an info, else empty. Samples with equal labels get a label that tells them apart.
  void add(Labels labels, double value, std::string_view suffix = {});

  void write(std::ostream& out);

 private:
  void spill();
  std::string name_, head_, buffer_;
  std::unordered_set<std::size_t> seen_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
};

}  // namespace rigproof
