#include "reports/ocp/artifacts.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ostream>
#include <utility>

#include "framework/record/utc.h"
#include "reports/text/clean.h"

namespace rigproof {
namespace {

constexpr std::size_t kLongestText = 16'000;
constexpr const char* kEpoch = "1970-01-01T00:00:00.000Z";

}  // namespace

void OcpLines::line(const char* kind, OcpJson content) {
  OcpJson line{{kind, std::move(content)}};
  line["sequenceNumber"] = sequence_++;
  line["timestamp"] = is_utc(time_) ? time_ : kEpoch;
  out_ << line.dump(-1, ' ', false, OcpJson::error_handler_t::replace) << '\n';
}

void OcpLines::run(const char* kind, OcpJson content) {
  line("testRunArtifact", OcpJson{{kind, std::move(content)}});
}

void OcpLines::step(const char* kind, OcpJson content) {
  line("testStepArtifact", OcpJson{{"testStepId", fmt::to_string(step_)}, {kind, std::move(content)}});
}

std::string ocp_text(std::string_view text) { return shortened(clean(text), kLongestText); }

OcpJson ocp_number(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

std::string utc_after(const std::string& utc, double seconds) {
  constexpr double kYears = 1e9;
  if (!is_utc(utc) || !(seconds >= 0 && seconds < kYears)) return utc;
  using std::chrono::milliseconds;
  const auto ms = milliseconds(std::llround((seconds_between(kEpoch, utc) + seconds) * 1000));
  const std::chrono::sys_time<milliseconds> time(ms);
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

}  // namespace rigproof
