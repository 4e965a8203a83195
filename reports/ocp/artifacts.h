#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "framework/judge/judged_run.h"

namespace rigproof::ocp {

using OcpJson = nlohmann::ordered_json;

// Writes the output's lines with sequence number and time. Texts are clean() and of bounded length.
class OcpLines {
 public:
  explicit OcpLines(std::ostream& out) : out_(out) {}

  void at(std::string utc) { time_ = std::move(utc); }  // of the lines that follow
  void line(const char* kind, OcpJson content);         // "schemaVersion"
  void run(const char* kind, OcpJson content);          // testRunArtifact
  void step(const char* kind, OcpJson content);         // testStepArtifact of the current step
  void next_step() { ++step_; }

 private:
  std::ostream& out_;
  std::string time_ = "1970-01-01T00:00:00.000Z";
  std::uint64_t sequence_ = 0;
  std::int64_t step_ = -1;
};

[[nodiscard]] std::string ocp_text(std::string_view text);
[[nodiscard]] OcpJson ocp_number(double value);  // a word if it is not finite
// The time `seconds` after an Event::time; `utc` itself if it is not a valid time.
[[nodiscard]] std::string utc_after(const std::string& utc, double seconds);

// The device under test: nodes and parts with facts as hardware, their software with versions, and every fact as metadata.
// Used only in this folder.
[[nodiscard]] OcpJson dut_info(const judge::JudgedRun& run);

// The hardwareInfoId of a node, as in dut_info(); empty for an unknown node.
[[nodiscard]] std::string hardware_id(const judge::JudgedRun& run, const std::string& node);

}  // namespace rigproof::ocp
