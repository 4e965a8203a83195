#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/subject_finder.h"

namespace rigproof::judge {

// By what the cases of a run are judged.
struct JudgeContext {
  std::shared_ptr<const LimitTable> limits = std::make_shared<const LimitTable>();  // never nullptr
  std::string limits_files;                                                         // for messages
  SubjectFinder subjects;                                                           // of the rig
  std::string date;       // that waivers are in force on: "2026-11-20"
  bool emulated = false;  // an emulated rig: see Attempt's disturbed ones

  // Of a recorded run: its limits and its rig, by the texts in the record. `date`: of the judgement. Throws
  // toml::InputError for the limits, std::invalid_argument for the profile. A rig that can't be read leaves every case
  // without facts: a limit relative to one is then an error, never a pass.
  [[nodiscard]] static JudgeContext of(const record::RunStarted& start, std::string_view date);
};

// One measurement, by the limit with its id, the facts of the case's subject and its remedy's words by node.
[[nodiscard]] JudgedMeasurement judge_measurement(const record::Measured& measured,
                                                  const JudgeContext& context, const Subject* subject);

// The facts of the rig at a subject; none without one.
[[nodiscard]] const Facts& facts_of(const Subject* subject);

// What to type so that an unread fact can be read, where the suite knows it.
[[nodiscard]] Remedy read_by(const record::Measured& measured);

// The thresholds files of a record, parsed, in its order. Throws toml::InputError.
[[nodiscard]] std::vector<toml::Document> documents_of(const std::vector<record::TextFile>& files);

// What later files of the run's thresholds ask less of, on its rig. Throws toml::InputError.
[[nodiscard]] std::vector<Weakened> weakened_limits_of(const record::RunStarted& start);

// What the plan says of a case.
struct Duty {
  const std::vector<std::string>* owes = nullptr;  // what it must report; nullptr: nobody declared anything
  SubjectPlace place = {};                         // what it is about
};

// The verdict on one attempt at a case: a pure function. Every measurement is judged by the limit with its id; one that
// has none is an error, unless it is a fact or the limit exists in other profiles only. Failures of its own:
//   "duplicate-measurement"  an error: two measurements of one id, node and detail
//   "nothing-measured"       an error: no measurement, failure or skip
//   "not-proven"             a skip: a required limit's fact could not be read; something owed was not reported. Of
//                            a limit that is advice both are a measurement with the verdict kAdvice
//   kDisturbed               a skip: all that is red may be due to others (is_disturbance) that took a good part of the
//                            machine under an emulated rig
// Notes are added to the first thing that is red.
//
// The status: an error is an error; a missed limit or a failed assertion fails; a skip leaves the case not proven, and
// so does a miss in a void attempt; what no limit judged, and an advice that is not followed, is recorded. It is waived when waivers in force cover every
// missed limit and every skip, and there is nothing else.
[[nodiscard]] Attempt judge_case(const record::CaseEnded& ended, const Duty& duty,
                                 const JudgeContext& context);

// Sets the attempt's status, and its waivers, from its measurements and failures.
void set_status(Attempt& attempt, std::string_view full_name, const JudgeContext& context);

// Whether `id` is the declared one, or of the declared family ("preflight.sysctl.*").
[[nodiscard]] bool is_declared_by(std::string_view declared, std::string_view id);

// What is declared, to be asked for many ids.
class Declarations {
 public:
  void add(const std::string& declared);
  // The place, in the order of add(), of the first that declares the id.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;

 private:
  using Places = std::map<std::string, std::size_t, std::less<>>;
  Places ids_, families_;          // of the latter what their ids begin with: "preflight.sysctl."
  std::set<std::size_t> lengths_;  // of the families
  std::size_t count_ = 0;
};

// "waived until 2026-12-31 by Ann: cable", one after the other.
[[nodiscard]] std::string describe(const std::vector<const Waiver*>& waivers);

}  // namespace rigproof::judge
