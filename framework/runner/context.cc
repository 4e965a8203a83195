#include "framework/runner/context.h"

#include <fmt/format.h>

#include <stdexcept>

#include "framework/runner/rig_test.h"

namespace rigproof::inline runner {

namespace {

constexpr std::chrono::seconds kBetweenPhases{10};

Rig& rig_slot() {
  static Rig rig;
  return rig;
}

SuiteContext*& context_slot() {
  static SuiteContext* context = nullptr;
  return context;
}

}  // namespace

void SuiteContext::write(const record::EventBody& body) {
  try {
    journal.write(body);
  } catch (const std::exception& error) {
    ranks.fatal(fmt::format("{}: {}", ranks.who(ranks.rank()), error.what()));
  }
}

void SuiteContext::expect_next(std::string_view what) {
  ranks.watch(fmt::format("{} of {}", what, now.name), kBetweenPhases);
}

SuiteContext& suite_context() {
  if (context_slot() == nullptr) throw std::logic_error("a RigTest runs only under suite_main()");
  return *context_slot();
}

void set_suite_context(SuiteContext* context) { context_slot() = context; }

void set_rig_under_test(Rig rig) { rig_slot() = std::move(rig); }

const Rig& rig_under_test() { return rig_slot(); }

}  // namespace rigproof::inline runner
