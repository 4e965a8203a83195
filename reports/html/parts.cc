#include "reports/html/sections.h"
#include "reports/text/describe.h"

namespace rigproof {
namespace {

std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "PASS";
    case Verdict::kMarginal:
      return "MARGINAL";
    case Verdict::kFail:
      return "FAIL";
    case Verdict::kError:
      return "NOT JUDGED";
    case Verdict::kRecorded:
      return "recorded";
  }
  return "NOT JUDGED";
}

std::string_view colour_of(Status status) {
  if (status == Status::kRecorded) return "soft";
  if (status == Status::kPassed) return "good";
  return status == Status::kWaived || status == Status::kNotProven ? "near" : "bad";
}

std::string_view colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "good";
    case Verdict::kMarginal:
      return "near";
    case Verdict::kRecorded:
      return "soft";
    default:
      return "bad";
  }
}

}  // namespace

void write_badge(Markup& page, std::string_view word, std::string_view colour_class) {
  page.leaf("span", word, {{"class", "badge " + std::string(colour_class)}});
}

void write_badge(Markup& page, Status status) { write_badge(page, word_of(status), colour_of(status)); }
void write_badge(Markup& page, Verdict verdict) { write_badge(page, word_of(verdict), colour_of(verdict)); }

void write_badge(Markup& page, const Attempt& attempt) {
  if (is_void(attempt.failures))
    write_badge(page, "VOID", "near");
  else
    write_badge(page, attempt.status);
}

void write_header_row(Markup& page, std::initializer_list<std::string_view> cells) {
  const auto head = page.element("thead");
  const auto row = page.element("tr");
  for (const std::string_view cell : cells) page.leaf("th", cell, {{"scope", "col"}});
}

}  // namespace rigproof
