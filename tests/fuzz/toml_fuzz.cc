// Whatever a rig file, a thresholds file or a file of known faults holds, it is taken, or refused by a message that begins with its place.
#include <cstdint>

#include "framework/faults/fault.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/rig.h"
#include "framework/rig/subjects.h"
#include "tests/fuzz/well_formed.h"

namespace rigproof {
namespace {

template <class Body>
void taken_or_refused(const Body& body) try {
  body();
} catch (const toml::InputError& fault) {
  require(std::string_view(fault.what()).starts_with("some.toml:"), "a refusal names its place");
}

}  // namespace
}  // namespace rigproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rigproof;
  const std::string text(reinterpret_cast<const char*>(data), size);
  taken_or_refused([&] {
    const auto subjects = every_subject(read_rig(toml::Document::parse(text, "some.toml")));
    require(!subjects.empty(), "a rig has subjects");
  });
  taken_or_refused([&] {
    const auto faults = read_faults({toml::Document::parse(text, "some.toml")}, rig_fact_dimensions());
    require(!faults.empty(), "a catalogue has faults");
  });
  for (const Profile profile : {Profile::kSmoke, Profile::kStandard, Profile::kAcceptance}) {
    taken_or_refused([&] {
      const auto document = toml::Document::parse(text, "some.toml");
      const LimitTable table = LimitTable::read({document}, profile, rig_fact_dimensions());
      for (const Limit& limit : table.limits()) require(table.find(limit.id) != nullptr, "a limit is found");
    });
  }
  return 0;
}
