#include "framework/supervisor/run_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "framework/judge/beside_pairs.h"
#include "framework/judge/judge_case.h"
#include "framework/judge/run_checks.h"
#include "framework/limits/rates_for.h"
#include "framework/process/temporary_folder.h"
#include "framework/record/files.h"
#include "framework/record/run_identity.h"
#include "framework/rig/subjects.h"
#include "framework/supervisor/case_plan.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/printable.h"

namespace rigproof::supervisor {
namespace {

void require_operator(const RunOptions& options) {
  if (options.with_operator && !options.has_terminal)
    throw Refused("--operator: stdin and stdout must be a terminal, where a person is asked to pull cables");
}

bool has_pairs(const PlannedSuite& suite) {
  return !suite.description.traits.one_job && suite.cases->has_pairs();
}

// Records which pairs were left out: on a large rig the suites describe only some rounds of pairs.
void record_rounds(const RoundsAsked& rounds, RunInputs& inputs) {
  record::Asked& asked = inputs.start.asked;
  if (rounds.rounds == 0 || inputs.rig.nodes.size() <= 2) return;
  asked.rounds = rounds.rounds;
  asked.seed = static_cast<int>(rounds.seed);
  Rig sampled = inputs.rig;
  const std::size_t left_out = keep_rounds(sampled, rounds);
  if (std::ranges::any_of(inputs.suites, has_pairs)) asked.pairs_left_out = static_cast<int>(left_out);
}

// Adds what this suite cannot prove on any rig. A missing NCCL is reported once for all suites.
void add_notices(const PlannedSuite& planned, const LimitTable& limits, bool on_hardware,
                 std::vector<std::string>& notices) {
  const std::string& without_nccl = planned.suite.without_nccl;
  for (record::Lacking lacking : planned.description.lacking) {
    if (!without_nccl.empty()) lacking.why = without_nccl;
    std::string notice = notice_of(lacking, limits);
    if (on_hardware && !notice.empty()) notices.push_back(std::move(notice));
  }
  const bool is_said = std::ranges::any_of(
      notices, [&](const std::string& notice) { return notice.find(without_nccl) != notice.npos; });
  if (!without_nccl.empty() && !is_said) notices.push_back(without_nccl);
}

PlannedCount count_of(const PlannedSuite& planned, const RunOptions& options) {
  const auto repeat = static_cast<std::size_t>(options.gtest.repeat);
  PlannedCount count{planned.suite.name, planned.cases->size() * repeat};
  const std::vector<double>& seconds = planned.description.traits.case_seconds;
  if (const auto profile = static_cast<std::size_t>(options.profile);
      profile < seconds.size() && seconds[profile] > 0)
    count.usual = std::chrono::duration<double>(seconds[profile]);
  for (const auto& [test, cases] : planned.cases->count_by_test())
    if (!test.empty()) count.tests[test] = cases * repeat;
  return count;
}

// The suites that can judge a snapshot: they need no more than facts.
std::vector<std::string> suites_of_facts(const std::vector<PlannedSuite>& installed,
                                         const RunOptions& options) {
  std::vector<std::string> names;
  for (const PlannedSuite& planned : installed)
    if (planned.description.traits.judges_facts) names.push_back(planned.suite.name);
  for (const std::string& asked : options.suites)
    if (std::ranges::find(names, asked) == names.end())
      throw Refused(fmt::format("--facts: the suite {} needs the rig itself; a snapshot is for --suite {}",
                                asked, fmt::join(names, " --suite ")));
  return options.suites.empty() ? names : options.suites;
}

// Every installed suite reports its ids; the chosen suites also report their cases.
void describe_suites(const RunOptions& options, const LimitTable& limits, RunInputs& inputs) {
  const std::vector<Suite> installed = find_suites(options.suite_folders);
  record::RunStarted& start = inputs.start;
  start.not_built = not_built(installed);
  const Describer describer({options.rig, options.gtest, options.timeouts, options.with_operator,
                             inputs.rig.nodes.size(), options.rounds},
                            inputs.rig);
  const bool is_live = options.facts.empty(), on_hardware = inputs.rig.kind == "hardware" && is_live;
  start.asked.suites = options.suites;
  std::vector<Suite> chosen;
  if (is_live) chosen = choose_suites(installed, options.suites);
  std::vector<PlannedSuite> described = describer.all(installed, chosen);
  if (!is_live) {  // their descriptions say which suites judge a snapshot
    start.asked.suites = suites_of_facts(described, options);
    chosen = choose_suites(installed, start.asked.suites);
    for (PlannedSuite& planned : described)
      if (is_among(chosen, planned.suite.name)) planned = describer.on_rig(planned.suite);
  }
  for (const PlannedSuite& planned : described) {
    const auto& [suite, description, cases] = planned;
    start.programs.push_back(description.program);
    start.declared[suite.name] = description.declared;
    start.suites[suite.name] = description.traits;
    if (cases == nullptr || cases->size() == 0) continue;
    inputs.suites.push_back(planned);
    inputs.counts.push_back(count_of(planned, options));
    start.planned.push_back(suite.name);
    add_notices(planned, limits, on_hardware, inputs.notices);
  }
  start.declared[judge::kRunSuite] = declared_by_every_run();
  if (inputs.suites.empty()) refuse_without_cases(options.gtest);
}

void add_weakened(const record::RunStarted& start, std::vector<std::string>& notices) {
  for (const Weakened& limit : judge::weakened_limits_of(start))
    notices.push_back("limit weakened by a later thresholds file: " + to_text(limit));
}

std::string kind_of(const Limit& limit) {
  return limit.rule ? "text" : std::string(base_unit(limit.dimension));
}

std::string why_unknown(const std::string& id,
                        const std::map<std::string, std::vector<record::Declared>>& declared) {
  std::vector<std::string> known;
  for (const auto& [suite, list] : declared)
    for (const record::Declared& one : list)
      known.insert(id.starts_with(suite + ".") ? known.begin() : known.end(), one.id);
  return fmt::format("no suite reports '{}'{}", id, suggestion(id, known));
}

// Empty: a suite reports this id. `limit`: nullptr if the id may have any dimension, and be a family.
std::string fault_of(const std::string& id, const Limit* limit, const record::RunStarted& start) {
  if (std::ranges::find(start.not_built, suite_of(id)) != start.not_built.end()) return {};
  for (const auto& [owner, list] : start.declared) {
    const auto found = std::ranges::find_if(list, [&](const record::Declared& one) {
      return judge::is_declared_by(one.id, id) || (limit == nullptr && judge::is_declared_by(id, one.id));
    });
    if (found == list.end()) continue;
    if (limit != nullptr && found->kind != "any" && found->kind != kind_of(*limit))
      return fmt::format("'{}' is in {} here, but suite {} reports it in {}", id, kind_of(*limit), owner,
                         found->kind);
    return {};
  }
  return why_unknown(id, start.declared);
}

// Refuses an id of a limit or sign that begins at this place.
void check_id(const std::string& id, const toml::Place& place, const Limit* limit,
              const std::vector<record::TextFile>& files, const record::RunStarted& start) {
  const std::string fault = fault_of(id, limit, start);
  if (fault.empty()) return;
  for (const record::TextFile& file : files)
    if (file.file == place.file) toml::Document::parse(file.text, file.file).fail(place, id, fault);
  throw Refused(fmt::format("{}: {}", to_text(place), fault));
}

}  // namespace

void check_declared(const LimitTable& limits, const record::RunStarted& start) {
  for (const Limit& limit : limits.limits()) check_id(limit.id, limit.where, &limit, start.limits, start);
  for (const auto& [id, place] : limits.other_profiles()) check_id(id, place, nullptr, start.limits, start);
}

void check_declared(const std::vector<Fault>& faults, const record::RunStarted& start,
                    const std::filesystem::path& shipped) {
  for (const Fault& fault : faults) {
    if (fault.where.file == shipped.string()) continue;
    for (const std::vector<Sign>& signs : {fault.when, fault.unless})
      for (const Sign& sign : signs)
        check_id(sign.id, sign.condition ? sign.condition->where : fault.where,
                 sign.condition ? &*sign.condition : nullptr, start.faults, start);
    for (const std::string& id : fault.explains) check_id(id, fault.where, nullptr, start.faults, start);
  }
}

std::vector<std::string> refuse_rates_of_other_rigs(const std::vector<record::TextFile>& limits,
                                                    Profile profile, const Rig& rig) {
  std::vector<NamedFacts> halves;
  for (std::size_t node = 0; node < rig.nodes.size(); ++node)
    for (const HalfRef half : rig.halves_of(node))
      halves.push_back({rig.node(node).name + ":" + rig.half(half).netdev, facts_of(rig, half)});
  return limits::refuse_rates_of_other_rigs(judge::documents_of(limits), profile, rig_fact_dimensions(),
                                            halves);
}

void refuse_rates_of_other_rigs(const std::vector<record::TextFile>& limits,
                                const record::RunStarted& start) {
  Rig rig;  // without nodes where the recorded one cannot be read: nothing is judged relative to it either
  try {
    rig = read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file));
  } catch (const toml::InputError&) {
  }
  (void)refuse_rates_of_other_rigs(limits, parse_profile(start.asked.profile), rig);
}

std::vector<record::TextFile> load_thresholds(const std::vector<std::filesystem::path>& paths) {
  std::vector<record::TextFile> files;
  for (const std::filesystem::path& path : paths) {
    const auto text = toml::Document::load(path).text();
    files.push_back(record::text_file(path, text));
  }
  return files;
}

void refuse_long_waivers(const LimitTable& limits, std::string_view date) {
  for (const Waiver& waiver : limits.waivers())
    if (waiver.is_too_long(date))
      throw Refused(fmt::format("{}: the waiver ends on {}, more than {} days after {}: give an earlier date",
                                waiver.where, waiver.expires, kLongestWaiver, date));
}

void refuse_without_cases(const GtestFlags& gtest) {
  throw Refused(gtest.first_look ? "no suite has a case for --first-look"
                : gtest.selects()
                    ? fmt::format("no case matches --gtest_filter={}; see: rigproof list", gtest.filter)
                    : "the chosen suites have no case for this rig; see: rigproof list");
}

std::string notice_of(const record::Lacking& lacking, const LimitTable& limits) {
  std::vector<std::string> owed;
  for (const Limit& limit : limits.limits())
    if (limit.is_required() && judge::is_declared_by(lacking.id, limit.id)) owed.push_back(limit.id);
  if (owed.empty()) return {};
  return fmt::format("this run will not prove {} required limit{} ({}{}): {}", owed.size(),
                     owed.size() == 1 ? "" : "s", owed.front(), owed.size() == 1 ? "" : ", ...", lacking.why);
}

namespace {

std::string aim_of(const record::SampleAsked& sample) {
  return fmt::format("a node that is {:g} % slower in at least {:g} % of rigs", 100 * sample.slower,
                     100 * sample.power);
}

}  // namespace

std::vector<std::string> choose_rounds(const Rig& rig, const LimitTable& limits, RunOptions& options) {
  std::vector<std::string> said;
  if (const auto& asked = limits.sampling(); asked && options.sample.slower <= 0)
    options.sample = {asked->slower, asked->power};
  if (options.sample.slower <= 0) return said;
  if (const std::string deviation = judge::weaker_sample(options.sample, limits); !deviation.empty())
    said.push_back(deviation);
  const std::string aim = aim_of(options.sample);
  if (options.rounds.rounds == 0)
    options.rounds.rounds = judge::rounds_for(rig, options.rounds.seed, options.sample);
  if (options.rounds.rounds == 0)
    said.push_back(fmt::format("every pair is measured: no smaller sample of this rig rejects {}", aim));
  else
    said.push_back(fmt::format(
        "each node meets at most {} others (seed {}): to reject {} whose rates scatter by {:.0f} %; the "
        "verdict goes by the scatter that the run finds",
        options.rounds.rounds, options.rounds.seed, aim, 100 * judge::kAssumedScatter));
  return said;
}

RunInputs load_inputs(RunOptions options) {
  require_operator(options);
  const auto rig = toml::Document::load(options.rig);
  RunInputs inputs{.rig = read_rig(rig), .suites = {}, .counts = {}, .start = {}};
  record::RunStarted& start = inputs.start;
  start.limits = load_thresholds(options.thresholds);
  start.faults = load_thresholds(options.faults);
  const LimitTable limits =
      LimitTable::read(judge::documents_of(start.limits), options.profile, rig_fact_dimensions());
  const std::vector<Fault> faults = read_faults(judge::documents_of(start.faults), rig_fact_dimensions());
  inputs.notices = refuse_rates_of_other_rigs(start.limits, options.profile, inputs.rig);
  std::ranges::move(choose_rounds(inputs.rig, limits, options), std::back_inserter(inputs.notices));
  refuse_long_waivers(limits, record::utc_now().substr(0, 10));
  start.rig = inputs.rig.name;
  start.rig_kind = inputs.rig.kind;
  start.stand_in = inputs.rig.stand_in.value_or("");
  if (!options.facts.empty())
    start.stand_in += fmt::format("{}facts recorded in {} for the rig itself",
                                  start.stand_in.empty() ? "" : "; ", options.facts.string());
  start.asked = {.suites = options.suites,
                 .filter = options.gtest.filter,
                 .repeat = options.gtest.repeat,
                 .disabled_too = options.gtest.disabled_too,
                 .first_look = options.gtest.first_look,
                 .profile = std::string(name(options.profile)),
                 .snapshot = options.facts.empty() ? "" : std::filesystem::absolute(options.facts).string(),
                 .sample = options.sample,
                 .with_operator = options.with_operator};
  start.rig_file = record::text_file(options.rig, rig.text());
  start.user = record::user_name();
  start.host = record::host_name();
  start.command_line = options.command_line;
  start.labels = options.labels;
  start.programs = {record::this_program("rigproof")};
  add_weakened(start, inputs.notices);
  describe_suites(options, limits, inputs);
  record_rounds(options.rounds, inputs);
  check_declared(limits, start);
  check_declared(faults, start, options.shipped_faults);
  return inputs;
}

RunInputs load_recorded_inputs(const record::RunStarted& start, RunOptions& options) {
  const record::Asked& asked = start.asked;
  const process::TemporaryFolder folder;  // for suites that describe their cases
  options.rig = folder.path() / "rig.toml";
  record::replace_file(options.rig, start.rig_file.text);
  options.profile = parse_profile(asked.profile);
  options.suites = asked.suites;
  options.facts = asked.snapshot;
  options.with_operator = asked.with_operator;
  require_operator(options);
  options.gtest.filter = asked.filter;
  options.gtest.repeat = asked.repeat;
  options.gtest.disabled_too = asked.disabled_too;
  options.gtest.first_look = asked.first_look;
  options.rounds = {asked.rounds, static_cast<std::uint32_t>(asked.seed)};
  options.sample = asked.sample;
  RunInputs inputs{.rig = read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file)),
                   .suites = {},
                   .counts = {},
                   .start = {}};
  const LimitTable limits =
      LimitTable::read(judge::documents_of(start.limits), options.profile, rig_fact_dimensions());
  inputs.start.programs = {record::this_program("rigproof")};
  describe_suites(options, limits, inputs);
  record_rounds(options.rounds, inputs);
  if (inputs.start.planned != start.planned)
    throw Refused(
        fmt::format("--resume: expected the suites that the run had planned ({}), but installed here are {}",
                    fmt::join(start.planned, ", "), fmt::join(inputs.start.planned, ", ")));
  return inputs;
}

}  // namespace rigproof::supervisor
