#include "framework/runner/case_report.h"

#include "framework/ranks/packing.h"

namespace rigproof {
namespace {

void put(Packer& out, const RawMeasurement& measurement) {
  out.put(measurement.id).put(measurement.node).put(measurement.detail);
  out.put(static_cast<std::uint64_t>(measurement.samples.dimension));
  out.put(std::uint64_t{measurement.judged});
  out.put(std::uint64_t{measurement.samples.values.size()});
  for (const double value : measurement.samples.values) out.put(value);
  out.put(measurement.text).put(std::uint64_t{measurement.fact}).put(std::uint64_t{measurement.words.size()});
  for (const auto& [word, meaning] : measurement.words) out.put(word).put(meaning);
}

RawMeasurement get_measurement(Unpacker& in) {
  RawMeasurement measurement{in.text(), in.text(), in.text(), {}, true, {}, {}, false};
  measurement.samples.dimension = static_cast<Dimension>(in.integer());
  measurement.judged = in.integer() != 0;
  for (auto left = in.integer(); left > 0; --left) measurement.samples.values.push_back(in.number());
  measurement.text = in.text();
  measurement.fact = in.integer() != 0;
  for (auto left = in.integer(); left > 0; --left) {
    const std::string word = in.text();
    measurement.words[word] = in.text();
  }
  return measurement;
}

void put(Packer& out, const Failure& failure) {
  out.put(static_cast<std::uint64_t>(failure.kind)).put(failure.type).put(failure.message).put(failure.node);
  out.put(static_cast<std::uint64_t>(failure.rank + 1)).put(failure.phase).put(failure.where);
}

Failure get_failure(Unpacker& in) {
  Failure failure;
  failure.kind = static_cast<Failure::Kind>(in.integer());
  failure.type = in.text();
  failure.message = in.text();
  failure.node = in.text();
  failure.rank = static_cast<int>(in.integer()) - 1;
  failure.phase = in.text();
  failure.where = in.text();
  return failure;
}

}  // namespace

std::string pack(const CaseReport& report) {
  Packer out;
  out.put(std::uint64_t{report.measurements.size()});
  for (const RawMeasurement& measurement : report.measurements) put(out, measurement);
  out.put(std::uint64_t{report.failures.size()});
  for (const Failure& failure : report.failures) put(out, failure);
  out.put(std::uint64_t{report.notes.size()});
  for (const std::string& note : report.notes) out.put(note);
  return out.bytes();
}

CaseReport unpack_case_report(std::string_view bytes) {
  Unpacker in(bytes);
  CaseReport report;
  for (auto left = in.integer(); left > 0; --left) report.measurements.push_back(get_measurement(in));
  for (auto left = in.integer(); left > 0; --left) report.failures.push_back(get_failure(in));
  for (auto left = in.integer(); left > 0; --left) report.notes.push_back(in.text());
  return report;
}

}  // namespace rigproof
