#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include "tests/support/every_event.h"
#include "tests/support/every_text.h"

namespace rigproof {

// A run with every kind of event, whose texts are these bytes: a byte for each text says whether it stays, is one that
// was there before (so that names agree), or is the next bytes.
inline RunRecord hostile_record(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  std::vector<std::string> before{""};
  EveryText texts([&](const std::string&, std::string& text) {
    if (bytes.remaining_bytes() == 0) return;
    const auto choice = bytes.ConsumeIntegral<std::uint8_t>();
    if (choice < 96) return;
    if (choice < 160) {
      text = before[choice % before.size()];
      return;
    }
    text = bytes.ConsumeRandomLengthString(4096);
    before.push_back(text);
  });
  RunAssembler assembler;
  for (Event event : every_event()) {
    texts.in(event.body);
    assembler.add(event);
  }
  return std::move(assembler).take();
}

}  // namespace rigproof
