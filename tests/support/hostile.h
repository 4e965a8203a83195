#pragma once

#include <chrono>
#include <cmath>
#include <string>

#include "tests/support/story.h"

namespace rigproof {

// Markup, quotes, every byte there is, overlong and surrogate forms, noncharacters, and text that other formats
// take for their own.
inline std::string hostile_text() {
  std::string text =
      "</style></script><script>document.title='taken'</script><img src=x onerror=alert(1)>]]>";
  text += "\"'&amp;{{}}\\n\\\" # EOF\n# TYPE x counter\n";
  for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  return text + "\xEF\xBF\xBE\xED\xA0\x80\xC0\x80\xF4\x90\x80\x80\xF0\x9F\xBF\xBE\xE2\x80\xAE";
}

// A run with such text in every field that takes one.
inline judge::JudgedRun hostile_run(const std::string& text = hostile_text()) {
  Story story(text);
  judge::JudgedMeasurement bad = missed(text);
  bad.node = bad.detail = bad.unit = bad.limit_where.file = bad.judgement.limit = bad.judgement.reason = text;
  bad.remedy = {.check = {text}, .fix = {text}, .hint = {text}};
  bad.basis = {text, text, text, text};
  judge::JudgedMeasurement plain = recorded(text);
  plain.detail = text;
  const judge::JudgedMeasurement series = with_axis(plain, record::every(std::chrono::seconds(1)));
  const judge::JudgedMeasurement curve = with_axis(plain, record::at(3, text));
  judge::JudgedMeasurement fact = recorded(text + "3");
  fact.text = text;
  judge::JudgedMeasurement absurd = judged(text + "2", judge::Verdict::kError, NAN, NAN);
  absurd.samples.values = {NAN, INFINITY, -INFINITY, 1e308, -0.0};
  absurd.judgement.bounds = {.at_least = NAN, .at_most = INFINITY, .equals = -INFINITY, .marginal = NAN};
  Ending ended =
      ending(text, {bad, series, curve, fact, absurd}, {failure(record::Failure::Kind::kError, text, text)});
  ended.seconds = NAN;
  story.launch().plan({text, text + "2"});
  story.add(record::NodeSeen{"tcp", text, 0, {{text, {{text, text}, {"serial", text}}}}});
  story.run(ended);
  story.broken_off(1, text).add(record::Problem{text, text}).add(record::RunEnded{INFINITY});
  judge::JudgedRun run = story.record();
  record::RunStarted& start = run.start;
  start.id = start.rig = start.rig_kind = start.stand_in = start.user = start.host = start.command_line =
      text;
  start.asked = {.suites = {text}, .filter = text, .profile = text, .snapshot = text};
  start.rig_file = {text, text, text};
  start.limits = {start.rig_file, start.rig_file};
  start.programs = {{text, text, text, text}, {text, text, text, text}};
  start.declared = {{text, {{text, text, text, text, text, text}}}};
  start.again = record::Rejudged{text, text, text, text, text};
  run.not_applicable = {{text, text, text}, {text, text, text}};
  return run;
}

}  // namespace rigproof
