#include "suites/collective/nccl_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "fixtures/collective/operation.h"

namespace rigproof::collective {

using namespace std::chrono_literals;

[[maybe_unused]] static const bool lacks_nccl = declare_lacking("collective.nccl.*", nccl::why_no_nccl());

bool NcclCase::connect(const std::map<std::string, std::string>& variables, nccl::NcclWaits waits) {
  const bool has_code = phase("connect", 90s, [&] {
    std::string why_not;
    const nccl::NcclInstallation installed = nccl::checked_installation(rig(), why_not);
    if (!why_not.empty()) not_proven(why_not);
    if (!installed.stand_in.empty() && reports()) note("stand-in: " + installed.stand_in);
    std::string missing;
    engine_.reset();  // frees its memory before the next one starts
    try {
      engine_ = nccl::make_nccl_engine(ranks(), {.members = {subject().from, subject().to},
                                                 .proposed = nccl::variables_for(rig(), subject(), node()),
                                                 .waits = waits,
                                                 .variables = variables});
    } catch (const nccl::NoCodeForGpu& error) {
      missing = error.what();
      note(missing);
    }
    bool all = true;
    for (const std::string& said : ranks().share(missing)) all = all && said.empty();
    return all;
  });
  if (!has_code && reports()) report("collective.nccl.device_code", count(0));
  return has_code;
}

CollectiveTiming NcclCase::timing() const {
  return {.warm_up = windows().warm_up / 4,
          .window = std::max<std::chrono::milliseconds>(250ms, windows().window / 4),
          .blocks = 3};
}

DataRate NcclCase::paths_rate() const {
  return DataRate::bits_per_second(subject().facts().at("paths.rate").value);
}

NcclCase::Detail NcclCase::detail_of(const CollectiveSpec& spec, const std::string& with) {
  return {record::at(to_quantity(spec.size)),
          fmt::format("{}{}{}", with, name(spec.operation), spec.in_place ? " in place" : "")};
}

CollectiveResult NcclCase::run(const CollectiveSpec& spec, const CollectiveTiming& timing,
                               const std::string& with) {
  CollectiveResult result = measure("run", timeout_for(spec, timing), [&] {
    CollectiveResult done = measure_collective(engine(), ranks(), 2, spec, timing);
    if (!done.refused.empty()) not_proven(done.refused);
    return done;
  });
  if (engine() != nullptr) {
    const Detail detail = detail_of(result.spec, with);
    for (const std::string& fault : result.faults) note(detail_text(detail.name, detail.axis) + ": " + fault);
    report("collective.nccl.wrong", count(result.faults.size()), detail);
  }
  return result;
}

}  // namespace rigproof::collective
