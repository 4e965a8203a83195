// Whatever a facts document holds, it is taken, or refused by a message that begins with the file's name; and what is taken
// is written as the same document.
#include <cstdint>
#include <string>
#include <string_view>

#include "fixtures/facts/document.h"
#include "tests/fuzz/well_formed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rigproof;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const facts::Document document = facts::Document::parse(text, "some.json");
    const std::string once = document.dump();
    require(facts::Document::parse(once, "some.json").dump() == once, "a document survives being written");
  } catch (const facts::FactsError& fault) {
    require(std::string_view(fault.what()).starts_with("some.json"), "a refusal names its file");
  }
  return 0;
}
