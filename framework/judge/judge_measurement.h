#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "framework/judge/judged_run.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/subject_finder.h"

namespace rigproof::judge {

// By what the cases of a run are judged.
struct JudgeContext {
  std::shared_ptr<const LimitTable> limits = std::make_shared<const LimitTable>();  // never nullptr
  std::string limits_files;                                                         // for messages
  SubjectFinder subjects;  // of the rig, by the names that cases have of them
  std::string date;        // that waivers are in force on: "2026-11-20"
  bool emulated = false;   // an emulated rig: see Attempt's disturbed ones

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
[[nodiscard]] std::string read_by(const record::Measured& measured);

}  // namespace rigproof::judge
