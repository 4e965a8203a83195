#include "framework/runner/context.h"

#include <fmt/format.h>

#include <stdexcept>

#include "framework/runner/rig_test.h"

namespace rigproof::inline runner {

Windows windows_of(Profile profile) {
  using namespace std::chrono_literals;
  switch (profile) {
    case Profile::kSmoke:
      return {.warm_up = 200ms, .window = 500ms, .intervals = 5, .repeats = 20};
    case Profile::kStandard:
      return {.warm_up = 500ms, .window = 2000ms, .intervals = 10, .repeats = 200};
    case Profile::kAcceptance:
      break;
  }
  return {.warm_up = 2000ms, .window = 10'000ms, .intervals = 20, .repeats = 2000};
}

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
