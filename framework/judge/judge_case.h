#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/faults/fault.h"
#include "framework/judge/declarations.h"
#include "framework/judge/judged_run.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/subject_finder.h"

namespace rigproof::judge {

// The rules that judge the cases of a run.
struct JudgeContext {
  std::shared_ptr<const LimitTable> limits = std::make_shared<const LimitTable>();  // never nullptr
  std::string limits_files;                                                         // for messages
  SubjectFinder subjects;                                                           // the rig's subjects
  MetricGroups groups;
  std::vector<Fault> faults = {};  // the catalogue of known faults
  std::string date;                // waivers must be in force on this day: "2026-11-20"
  bool emulated = false;           // attempts can be void: see kDisturbed

  // Builds the context of a recorded run from the limits and the rig in the record. `date`: day of the
  // judgement. Throws toml::InputError for the limits and the known faults, std::invalid_argument for the profile. If the rig
  // cannot be read, no case has facts: a limit relative to a fact is then an error, never a pass.
  [[nodiscard]] static JudgeContext of(const record::RunStarted& start, std::string_view date);
};

// The words of a remedy that a finding on this node has by its subject: the node, and what the subject knows of it.
[[nodiscard]] RemedyValues remedy_values_on(const std::string& node, const Subject* subject);

// Judges one measurement by the limit with its id and the facts of `subject`, and fills in its remedy.
[[nodiscard]] JudgedMeasurement judge_measurement(const record::Measured& measured,
                                                  const JudgeContext& context, const Subject* subject);

// The limit with this id, at a measurement's place of a sweep; nullptr: there is none. `here` has it if places have bounds of
// their own.
[[nodiscard]] const Limit* limit_of(std::string_view id, const std::optional<record::Axis>& axis,
                                    const JudgeContext& context, std::optional<Limit>& here);

// The rig's facts at a subject; empty without a subject.
[[nodiscard]] const Facts& facts_of(const Subject* subject);

// The command that makes an unread fact readable; empty if the suite names none.
[[nodiscard]] std::string read_by(const record::Measured& measured);

// Parses the thresholds files of a record, in order. Throws toml::InputError.
[[nodiscard]] std::vector<toml::Document> documents_of(const std::vector<record::TextFile>& files);

// Limits that a later thresholds file of the run weakens, on its rig. Throws toml::InputError.
[[nodiscard]] std::vector<Weakened> weakened_limits_of(const record::RunStarted& start);

// The plan's data about a case.
struct Duty {
  const std::vector<std::string>* owes = nullptr;  // ids that it must report; nullptr: no declaration
  SubjectPlace place = {};                         // its subject
};

// Judges one attempt at a case. Pure. The limit with its id judges each measurement. A measurement without a
// limit is an error, unless it is a fact or the limit exists in other profiles only. The judge adds these
// failures:
//   "duplicate-measurement"  error: two measurements have the same id, node and detail
//   "nothing-measured"       error: no measurement, failure or skip
//   "not-proven"             skip: a required limit's fact could not be read, or an owed id was not reported.
//                            For an advice limit: a measurement with the verdict kAdvice instead. Or the case's
//                            subject is not there (a kNothingThere with a family as its id), and a required limit of
//                            that family asks for it; if none does, the case is recorded and owes nothing
//   kDisturbed               skip: others used much of the CPU time under an emulated rig, and this can
//                            explain every miss (is_disturbance)
// Appends notes to the first failed measurement, else to the first failure.
//
// The status: any error makes it an error. A missed limit or a failed assertion fails. A skip, or a miss in a
// void attempt, is not proven. Values without a deciding limit and missed advice are recorded. The attempt is
// waived if waivers in force cover every missed limit and every skip, and there is no error.
[[nodiscard]] Attempt judge_case(const record::CaseEnded& ended, const Duty& duty,
                                 const JudgeContext& context);

// Sets the attempt's status and waivers from its measurements and failures.
void set_status(Attempt& attempt, std::string_view full_name, const JudgeContext& context);

// "waived until 2026-12-31 by Ann: cable", joined by "; ".
[[nodiscard]] std::string describe(const std::vector<const Waiver*>& waivers);

}  // namespace rigproof::judge
