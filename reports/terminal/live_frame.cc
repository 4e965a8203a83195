#include "reports/terminal/live_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "framework/units/printable.h"
#include "reports/terminal/terminal.h"

namespace rigproof::terminal {
namespace {

constexpr std::string_view kPlain, kBold = "1", kYellow = "33", kCyan = "36", kGrey = "90";
constexpr std::size_t kNarrow = 60, kLeastBar = 4, kLeastVerdicts = 3;
constexpr std::size_t kLow = 14;   // below this height the cables come before the verdicts
constexpr std::size_t kWord = 11;  // "INFORMATIVE"

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
}

// The first `count` characters.
std::string_view front(std::string_view text, std::size_t count) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!continues_character(text[i]) && count-- == 0) return text.substr(0, i);
  return text;
}

// A line under construction: text beyond the width is left out; colour codes do not count.
class Line {
 public:
  explicit Line(const LiveStyle& style) : style_(style) {}

  Line& add(std::string_view text, std::string_view colour = kPlain) {
    const std::string_view part = front(text, left());
    used_ += characters_in(part);
    if (part.empty()) return *this;
    text_ +=
        style_.colour && !colour.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", colour, part) : std::string(part);
    return *this;
  }
  Line& pad_to(std::size_t column) { return column > used_ ? add(std::string(column - used_, ' ')) : *this; }
  [[nodiscard]] std::size_t left() const { return style_.width > used_ ? style_.width - used_ : 0; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const LiveStyle& style_;
  std::string text_;
  std::size_t used_ = 0;
};

// Format of the rates on one screen: one unit, and the decimals that the fastest port needs.
struct Unit {
  const char* name;
  double size;
  int decimals;

  [[nodiscard]] std::string text(DataRate rate) const {
    return fmt::format("{:.{}f}", rate.bits_per_second() / size, decimals);
  }
};

constexpr std::size_t kNumber = 7;  // "12345.6"

Unit unit_for(DataRate rate) {
  const double bits = rate.bits_per_second();
  if (bits >= 100e9) return {"Gbit/s", 1e9, 1};
  if (bits >= 1e9) return {"Gbit/s", 1e9, 2};
  return bits >= 100e6 ? Unit{"Mbit/s", 1e6, 1} : Unit{"Mbit/s", 1e6, 2};
}

Unit unit_of(const std::vector<LiveCable>& cables) {
  DataRate fastest = DataRate::bits_per_second(0);
  for (const LiveCable& cable : cables) fastest = std::max(fastest, cable.rate);
  return unit_for(fastest);
}

std::string time_text(std::chrono::seconds time) {
  const auto s = time.count();
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

class Frame {
 public:
  Frame(const LiveState& state, const LiveStyle& style)
      : state_(state), style_(style), unit_(unit_of(state.cables)) {}

  std::vector<std::string> lines() {
    push(line().add("Rigproof", kBold).add("  " + state_.title));
    if (state_.run) run(*state_.run);
    space();
    cables();
    if (state_.run) verdicts(state_.run->verdicts);
    footer();
    if (lines_.size() > style_.height) lines_.resize(style_.height);
    return std::move(lines_);
  }

 private:
  [[nodiscard]] Line line() const { return Line(style_); }
  void push(const Line& line) { lines_.push_back(line.text()); }
  void space() {
    if (style_.height >= 16) lines_.emplace_back();
  }
  [[nodiscard]] bool narrow() const { return style_.width < kNarrow; }
  [[nodiscard]] std::string number(DataRate rate) const {
    return fmt::format("{:>{}}", unit_.text(rate), kNumber);
  }
  // Lines left, without the footer's line.
  [[nodiscard]] std::size_t room() const {
    const std::size_t taken = lines_.size() + (state_.footer.empty() ? 0 : 1);
    return style_.height > taken ? style_.height - taken : 0;
  }

  void bar(Line& line, std::size_t length, double share, double peak) const {
    const auto cells = [length](double part) {
      return static_cast<std::size_t>(std::lround(std::clamp(part, 0.0, 1.0) * static_cast<double>(length)));
    };
    const std::size_t full = cells(share), mark = std::max(cells(peak), std::size_t{1}) - 1;
    const auto repeat = [&](std::size_t count, const char* cell, std::string_view colour) {
      std::string text;
      for (std::size_t i = 0; i < count; ++i) text += cell;
      line.add(text, colour);
    };
    const char* rest = style_.unicode ? "░" : ".";
    repeat(full, style_.unicode ? "█" : "#", kCyan);
    if (cells(peak) <= full) return repeat(length - full, rest, kGrey);
    repeat(mark - full, rest, kGrey);
    line.add(style_.unicode ? "▌" : "|", kCyan);
    repeat(length - mark - 1, rest, kGrey);
  }

  void run(const LiveRun& run) {
    Line what = line().add(run.suite, kBold);
    what.add("  " + run.test);
    if (!run.phase.empty()) what.add("  (" + run.phase + ")");
    push(what);
    progress(run);
    tally(run);
  }

  // The share of the time where it is known, because cases differ much in length; else that of the cases.
  static double share_of(const LiveRun& run, std::size_t cases) {
    const std::chrono::duration<double> elapsed = run.elapsed;
    if (run.left && elapsed.count() > 0) return elapsed / (elapsed + *run.left);
    return cases == 0 ? 0 : static_cast<double>(run.counts.ended) / static_cast<double>(cases);
  }

  void progress(const LiveRun& run) {
    const std::size_t cases = std::max(run.counts.cases, run.counts.ended);
    std::string text =
        fmt::format("{}/{} {}{}", run.counts.ended, cases, narrow() ? "" : "cases  ", time_text(run.elapsed));
    if (run.left) text += fmt::format(", {}{} left", narrow() ? "" : "about ", time_text(*run.left));
    Line all = line();
    if (const std::size_t length = style_.width / 3; length >= kLeastBar) {
      bar(all, length, share_of(run, cases), 0);
      all.add("  ");
    }
    push(all.add(text));
  }

  void tally(const LiveRun& run) {
    Line all = line();
    bool first = true;
    const auto add = [&](std::size_t count, const char* word, judge::Status status) {
      if (count == 0) return;
      all.add(std::exchange(first, false) ? "" : ", ");
      all.add(fmt::format("{} {}", count, word), colour_of(status));
    };
    add(run.counts.errors, run.counts.errors == 1 ? "error" : "errors", judge::Status::kError);
    add(run.counts.failed, "failed", judge::Status::kFailed);
    add(run.counts.not_proven, "not proven", judge::Status::kNotProven);
    add(run.counts.waived, "waived", judge::Status::kWaived);
    add(run.counts.passed, "passed", judge::Status::kPassed);
    add(run.counts.recorded, "informative", judge::Status::kRecorded);
    push(all);
  }

  void cables() {
    if (state_.cables.empty()) return;
    // Lines reserved around the cables: a header, two lines of totals, some verdicts.
    const std::size_t around = 3 + (state_.run && style_.height >= kLow ? kLeastVerdicts + 1 : 0);
    const std::size_t free = room() > around ? room() - around : 1;
    const std::size_t count = state_.cables.size();
    const bool two_lines = 2 * count <= free;
    label_width_ = 0;
    for (const LiveCable& cable : state_.cables) {
      label_width_ = std::max(
          {label_width_, characters_in(label(cable)), two_lines ? characters_in(second_label(cable)) : 0});
    }
    label_width_ = std::min(label_width_, narrow() ? style_.width / 3 : style_.width / 2);
    header(two_lines);
    const std::size_t shown = two_lines || count <= free ? count : free - 1;
    for (std::size_t i = 0; i < shown; ++i)
      two_lines ? in_two_lines(state_.cables[i]) : in_one_line(state_.cables[i]);
    if (shown < count) push(line().add(left_out_text(count - shown, shown == 0), kYellow));
    totals();
  }

  [[nodiscard]] std::string left_out_text(std::size_t cables, bool all) const {
    const std::string what = fmt::format("{}{} cable{}", cables, all ? "" : " more", cables == 1 ? "" : "s");
    return narrow() ? "... " + what + ": window too low" : "... and " + what + ": make the window higher";
  }
  [[nodiscard]] std::string label(const LiveCable& cable) const {
    return narrow() ? cable.port : cable.link + "  " + cable.port;
  }
  [[nodiscard]] std::string second_label(const LiveCable& cable) const {
    const std::string rate = to_text(to_quantity(cable.rate));
    return narrow() ? rate : rate + " to " + cable.far_end;
  }
  [[nodiscard]] Line labelled(const std::string& label, std::string_view colour = kPlain) const {
    Line line(style_);
    line.add(front(label, label_width_), colour).pad_to(label_width_ + 1);
    return line;
  }

  void header(bool two_lines) {
    Line all = labelled("cable", kGrey);
    if (two_lines && style_.width > 2 * kNumber + 8)
      all.pad_to(style_.width - 2 * kNumber - 8)
          .add(fmt::format(" {}{:>7}{:>8}", unit_.name, "NOW", "PEAK"), kGrey);
    else if (!two_lines)
      all.add(fmt::format("NOW / PEAK, {}", unit_.name), kGrey);
    push(all);
  }

  void direction(Line& all, const char* word, const LiveRate& rate, DataRate full) const {
    const std::size_t numbers = 2 * (kNumber + 1);
    all.add(word).add(" ");
    if (all.left() >= numbers + kLeastBar)
      bar(all, all.left() - numbers, rate.now.bits_per_second() / full.bits_per_second(),
          rate.peak.bits_per_second() / full.bits_per_second());
    push_numbers(all, rate);
  }
  void push_numbers(Line& all, const LiveRate& rate) const {
    all.add(" " + number(rate.now)).add(" " + number(rate.peak), kGrey);
  }

  void in_two_lines(const LiveCable& cable) {
    Line first = labelled(label(cable)), second = labelled(second_label(cable), kGrey);
    if (!cable.no_counters.empty()) {
      push(first.add(cable.no_counters, kYellow));
      push(second);
      return;
    }
    direction(first, "TX", cable.tx, cable.rate);
    direction(second, "RX", cable.rx, cable.rate);
    push(first);
    push(second);
  }

  void in_one_line(const LiveCable& cable) {
    Line all = labelled(label(cable));
    if (!cable.no_counters.empty()) {
      push(all.add(cable.no_counters, kYellow));
      return;
    }
    const int decimals = narrow() && unit_.decimals > 0 ? unit_.decimals - 1 : unit_.decimals;
    const std::size_t digits = narrow() ? 4 : kNumber - 1;
    const auto half = [&](const char* word, const LiveRate& rate, std::size_t width) {
      const auto text = [&](DataRate one) { return Unit{unit_.name, unit_.size, decimals}.text(one); };
      const std::string numbers =
          fmt::format(" {:>{}}/{:<{}}", text(rate.now), digits, text(rate.peak), digits);
      const std::size_t end = style_.width - all.left() + width;
      all.add(word).add(" ");
      const std::size_t taken = numbers.size() + 4;
      if (width >= taken + kLeastBar)
        bar(all, width - taken, rate.now.bits_per_second() / cable.rate.bits_per_second(),
            rate.peak.bits_per_second() / cable.rate.bits_per_second());
      all.add(numbers).pad_to(end);
    };
    const std::size_t width = all.left() / 2;
    half("TX", cable.tx, width);
    half("RX", cable.rx, width);
    push(all);
  }

  void totals() {
    const auto row = [&](const char* word, DataRate tx, DataRate rx, DataRate both) {
      Line all = line().add(fmt::format("{:<4}", word), kBold);
      if (narrow())
        all.add(fmt::format(" TX {} RX {} TX+RX {}", unit_.text(tx), unit_.text(rx), unit_.text(both)));
      else
        all.add(fmt::format("  TX {}  RX {}  full duplex {} {}", number(tx), number(rx), number(both),
                            unit_.name));
      return all;
    };
    const auto missing = std::ranges::count_if(
        state_.cables, [](const LiveCable& cable) { return !cable.no_counters.empty(); });
    Line now = row("NOW", state_.tx.now, state_.rx.now, state_.duplex.now);
    if (missing > 0 && !narrow())
      now.add(fmt::format("  without {} cable{}", missing, missing == 1 ? "" : "s"), kYellow);
    push(now);
    push(row("PEAK", state_.tx.peak, state_.rx.peak, state_.duplex.peak));
  }

  void verdicts(const std::vector<LiveVerdict>& verdicts) {
    if (room() > kLeastVerdicts) space();
    for (const LiveVerdict* verdict : shown_of(verdicts)) {
      const std::string_view word = front(verdict->text, kWord);
      push(line()
               .add(word, colour_of(verdict->status))
               .add(std::string_view(verdict->text).substr(word.size())));
    }
  }

  // The newest verdicts, in their order. Those that stay make the others scroll, down to one line.
  [[nodiscard]] std::vector<const LiveVerdict*> shown_of(const std::vector<LiveVerdict>& verdicts) const {
    const std::size_t room = this->room();
    const auto staying = static_cast<std::size_t>(std::ranges::count_if(verdicts, stays));
    std::size_t pinned = std::min(staying, staying < verdicts.size() && room > 0 ? room - 1 : room);
    std::size_t others = room - pinned;
    std::vector<const LiveVerdict*> shown;
    for (auto verdict = verdicts.rbegin(); verdict != verdicts.rend(); ++verdict)
      if (std::size_t& left = stays(*verdict) ? pinned : others; left > 0) {
        shown.push_back(&*verdict);
        --left;
      }
    std::ranges::reverse(shown);
    return shown;
  }

  void footer() {
    if (!state_.footer.empty() && lines_.size() < style_.height) push(line().add(state_.footer, kGrey));
  }

  const LiveState& state_;
  const LiveStyle& style_;
  Unit unit_;
  std::vector<std::string> lines_;
  std::size_t label_width_ = 0;
};

std::string rate_text(const char* word, const LiveRate& rate, const Unit& unit) {
  return fmt::format("{} {} {} (peak {})", word, unit.text(rate.now), unit.name, unit.text(rate.peak));
}

}  // namespace

bool stays(const LiveVerdict& verdict) {
  return verdict.status != judge::Status::kPassed && verdict.status != judge::Status::kRecorded;
}

std::vector<std::string> live_frame(const LiveState& state, const LiveStyle& style) {
  return Frame(state, style).lines();
}

std::string live_line(const LiveCable& cable) {
  const std::string name = fmt::format("{}  {}  ", cable.link, cable.port);
  if (!cable.no_counters.empty()) return name + cable.no_counters;
  const Unit unit = unit_for(cable.rate);
  return fmt::format("{}{}, {}", name, rate_text("TX", cable.tx, unit), rate_text("RX", cable.rx, unit));
}

std::string live_totals_line(const LiveState& state) {
  const Unit unit = unit_of(state.cables);
  return fmt::format("all cables  {}, {}, {}", rate_text("TX", state.tx, unit),
                     rate_text("RX", state.rx, unit), rate_text("full duplex", state.duplex, unit));
}

}  // namespace rigproof::terminal
