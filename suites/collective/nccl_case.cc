#include "suites/collective/nccl_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "fixtures/collective/operation.h"
#include "framework/runner/context.h"

namespace rigproof::collective {

using namespace std::chrono_literals;

[[maybe_unused]] static const bool lacks_nccl = declare_lacking("collective.nccl.*", nccl::why_no_nccl());

namespace {

std::vector<std::size_t> members_of(const Rig&, const NodePath& pair) { return {pair.from, pair.to}; }
std::vector<std::size_t> members_of(const Rig& rig, const AllNodes& all) {
  std::vector<std::size_t> members;
  for (const std::size_t node : all.nodes()) members.insert(members.end(), rig.node(node).used_gpus(), node);
  return members;
}

// Processes of their own have the log that names algorithms; the variable is what they set anyway.
nccl::NcclSpec spec_for(const Rig& rig, const NodePath& pair, std::size_t node) {
  return {.members = {}, .proposed = nccl::variables_for(rig, pair, node)};
}
nccl::NcclSpec spec_for(const Rig&, const AllNodes&, std::size_t) {
  return {.members = {}, .variables = {{"NCCL_DEBUG", "INFO"}}};
}

}  // namespace

template <class SubjectType>
std::vector<std::size_t> NcclCase<SubjectType>::members() const {
  std::vector<std::size_t> members = members_of(this->rig(), this->subject());
  const std::vector<std::size_t>& nodes = this->subject().nodes();
  const auto place = [&](std::size_t node) { return std::ranges::find(nodes, node) - nodes.begin(); };
  std::erase_if(members, [&](std::size_t node) { return static_cast<std::size_t>(place(node)) >= nodes_; });
  return members;
}

template <class SubjectType>
bool NcclCase<SubjectType>::connect(const std::map<std::string, std::string>& variables,
                                    nccl::NcclWaits waits) {
  const bool has_code = this->phase("connect", 90s, [&] {
    nccl::NcclSpec spec = spec_for(this->rig(), this->subject(), this->node());
    spec.members = members();
    spec.waits = waits;
    spec.variables.insert(variables.begin(), variables.end());
    std::string why_not;
    const nccl::NcclInstallation installed = nccl::checked_installation(this->rig(), why_not);
    const auto wanted = std::ranges::count(spec.members, this->node());
    if (why_not.empty() && installed.gpus < wanted)
      why_not = fmt::format("CUDA finds {} of the {} GPUs of the rig file", installed.gpus, wanted);
    if (!why_not.empty() && wanted > 0) this->not_proven(why_not);
    if (wanted > 0)
      for (const auto& [name, value] : nccl::settings_of_owner(installed.nccl).changed())
        this->note("NCCL's setting " + name + "=" + value);
    if (!installed.stand_in.empty() && reports()) this->note("stand-in: " + installed.stand_in);
    std::string missing;
    engine_.reset();  // frees its memory before the next one starts
    try {
      engine_ = nccl::make_nccl_engine(this->ranks(), spec);
    } catch (const nccl::NoCodeForGpu& error) {
      missing = error.what();
      this->note(missing);
    }
    bool all = true;
    for (const std::string& said : this->ranks().share(missing)) all = all && said.empty();
    return all;
  });
  if (!has_code && reports()) this->report("collective.nccl.device_code", count(0));
  return has_code;
}

template <class SubjectType>
CollectiveTiming NcclCase<SubjectType>::timing() const {
  const bool accepts = suite_context().profile == Profile::kAcceptance;  // as published runs of nccl-tests
  return {.warm_up = this->windows().warm_up / 4,
          .window = std::max<std::chrono::milliseconds>(250ms, this->windows().window / 4),
          .blocks = 3,
          .warm_ups = accepts ? 5 : 1,
          .operations = accepts ? 30 : 1};
}

template <class SubjectType>
DataRate NcclCase<SubjectType>::paths_rate() const {
  return DataRate::bits_per_second(this->subject().facts().at("ring.rate").value);
}

template <class SubjectType>
RigTestBase::Detail NcclCase<SubjectType>::detail_of(const CollectiveSpec& spec, const std::string& with) {
  return {record::at(to_quantity(spec.size)),
          fmt::format("{}{}{}", with, name(spec.operation), spec.in_place ? " in place" : "")};
}

template <class SubjectType>
CollectiveResult NcclCase<SubjectType>::run(const CollectiveSpec& spec, const CollectiveTiming& timing,
                                            const std::string& with) {
  return run(measure_collective, spec, timing, with);
}

template <class SubjectType>
CollectiveResult NcclCase<SubjectType>::run_bursts(const CollectiveSpec& spec, const std::string& with) {
  const CollectiveTiming timing{
      .warm_up = this->windows().warm_up / 4, .window = this->windows().window / 5, .blocks = 1};
  return run(measure_bursts, spec, timing, with);
}

template <class SubjectType>
CollectiveResult NcclCase<SubjectType>::run(Measure measure, const CollectiveSpec& spec,
                                            const CollectiveTiming& timing, const std::string& with) {
  CollectiveResult result = this->measure("run", timeout_for(spec, timing), [&] {
    CollectiveResult done = measure(engine(), this->ranks(), members().size(), spec, timing);
    if (!done.refused.empty()) this->not_proven(done.refused);
    return done;
  });
  if (engine() != nullptr) {
    const Detail detail = detail_of(result.spec, with);
    for (const std::string& fault : result.faults)
      this->note(detail_text(detail.name, detail.axis) + ": " + fault);
    this->report("collective.nccl.wrong", count(result.faults.size()), detail);
  }
  return result;
}

template <class SubjectType>
void NcclCase<SubjectType>::record_choice(const CollectiveSpec& spec) {
  const nccl::TransportLog log = engine()->log();
  const std::string point = detail_text(detail_of(spec).name, detail_of(spec).axis);
  if (log.choices.empty()) return this->note(point + ": NCCL's log names no protocol");
  const nccl::NcclChoice& last = log.choices.back();
  this->found("collective.nccl.protocol",
              fmt::format("{}, algorithm {}, channels {} to {}", last.protocol, last.algorithm, last.first,
                          last.last),
              {.node = this->node(), .detail = point});
}

std::vector<AllNodes> all_gpus_that_meet(const Rig& rig) {
  const std::size_t nodes = rig.nodes.size();
  const bool all_meet = count_pairs(rig) == nodes * (nodes - 1) / 2;
  return all_meet ? nccl::all_gpus_together(rig) : std::vector<AllNodes>();
}

template class NcclCase<NodePath>;
template class NcclCase<AllNodes>;

}  // namespace rigproof::collective
