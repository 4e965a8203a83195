#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/every_event.h"
#include "tests/support/every_text.h"

namespace rigproof {

// Takes values from a fuzz target's bytes: numbers from the end, texts from the beginning, so that one does not become
// the other when bytes come in between.
class InputBytes {
 public:
  InputBytes(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }

  // 0 when none is left.
  std::uint8_t number() {
    if (rest_.empty()) return 0;
    const auto last = static_cast<std::uint8_t>(rest_.back());
    rest_.remove_suffix(1);
    return last;
  }

  // Ends before a backslash, which is left out; two of them are one that belongs to the text.
  std::string text(std::size_t at_most) {
    std::string text;
    while (text.size() < at_most && !rest_.empty()) {
      const char next = rest_.front();
      rest_.remove_prefix(1);
      if (next == '\\') {
        if (!rest_.starts_with('\\')) break;
        rest_.remove_prefix(1);
      }
      text.push_back(next);
    }
    return text;
  }

 private:
  std::string_view rest_;
};

// A run with every kind of event, whose texts are these bytes: a byte for each text says whether it stays, is one that
// was there before (so that names agree), or is the next bytes.
inline judge::JudgedRun hostile_record(const std::uint8_t* data, std::size_t size) {
  InputBytes bytes(data, size);
  std::vector<std::string> before{""};
  EveryText texts([&](const std::string&, std::string& text) {
    if (bytes.empty()) return;
    const auto choice = bytes.number();
    if (choice < 96) return;
    if (choice < 160) {
      text = before[choice % before.size()];
      return;
    }
    text = bytes.text(4096);
    before.push_back(text);
  });
  judge::RunJudge judge;
  for (record::Event event : every_event()) {
    texts.in(event.body);
    judge.add(event);
  }
  return std::move(judge).take();
}

}  // namespace rigproof
