#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "framework/record/events.h"
#include "framework/record/files.h"
#include "framework/rig/rig.h"
#include "reports/html/sections.h"
#include "reports/text/acceptance.h"
#include "reports/text/verdict_line.h"

namespace rigproof::html {
namespace {

// `{}`: sentence added for emulated rigs.
constexpr std::string_view kDecisionRule =
    "A measurement passes when the statistic of its raw samples that its limit names lies within the limit's "
    "bounds, bounds included; nothing is added to or taken from a limit for uncertainty (simple acceptance). "
    "A value that passes within the limit's marginal band is marked MARGINAL. The worst attempt at a case "
    "decides; a repetition cannot improve it. {}A case that was skipped or could not be measured is not "
    "proven. Values without a limit are INFORMATIVE: listed, not judged; a case with nothing else does not "
    "count as passed. A limit that is ADVICE does not decide: it is listed with its remedy when it is missed "
    "or could not be proven. A missed limit or an unproven case counts as WAIVED only by a waiver in force "
    "that names it, its owner, a reason and an expiry. The rig is QUALIFIED only when every suite ran to its "
    "end, every case passed, is waived or informative, and at least one passed. First that applies: ERROR (a "
    "run, suite or case that did not end soundly), NOT QUALIFIED (a limit missed or an assertion failed), "
    "NOT PROVEN (something not proven), PARTIAL (the run leaves out suites or cases: it qualifies no rig), "
    "QUALIFIED by sampling (pairs were left out, and those that met find a slow node with the stated "
    "probability), QUALIFIED.";

constexpr std::string_view kOfEmulatedRigs =
    "An attempt is VOID when limits were missed while other programs used the machine under an emulated rig. "
    "The case is measured again, and the attempt stays in the record. If no attempt counts, the case is not "
    "proven. ";

std::string decision_rule(const judge::JudgedRun& run) {
  return fmt::format(fmt::runtime(kDecisionRule),
                     run.start.rig_kind == "hardware" ? std::string_view() : kOfEmulatedRigs);
}

std::string file_text(const record::TextFile& file) {
  return fmt::format("{} (SHA-256 {})", file.file, file.sha256);
}

void write_facts(text::Markup& page, const judge::JudgedRun& run) {
  const record::RunStarted& start = run.start;
  const auto table = page.element("table", {{"class", "scope"}});
  const auto row = [&](std::string_view what, std::string_view text) {
    const auto line = page.element("tr");
    page.leaf("th", what, {{"scope", "row"}});
    page.leaf("td", text);
  };
  row("Report", start.id);
  row("Rig", fmt::format("{} ({})", start.rig, start.rig_kind));
  row("Stand-in under test", start.stand_in.empty() ? "none declared" : start.stand_in);
  row("Profile", start.asked.profile);
  if (const std::string part = text::part_text(run); !part.empty()) row("A part of a run", part);
  row("Rig file", file_text(start.rig_file));
  for (const record::TextFile& file : start.limits) row("Thresholds", file_text(file));
  for (const record::TextFile& file : start.faults) row("Known faults", file_text(file));
  if (start.again)
    row("Judged (UTC)",
        fmt::format("{} by {} on {}", start.again->time, start.again->user, start.again->host));
  row(start.again ? "Measured (UTC)" : "Started (UTC)",
      start.again ? fmt::format("{}, by run {}", run.started, start.again->run) : run.started);
  row("Ended", run.end ? text::time_text(run) : "the run has not ended: its record stops before the end");
  row("Run by", fmt::format("{} on {}", start.user, start.host));
  row("Command", start.command_line);
  row("Method", "Rigproof " + start.version());
  row("Programs", text::programs_text(start));
  row("Customer", "");
}

void write_counts(text::Markup& page, const judge::JudgedRun& run) {
  page.leaf("h3", "Cases by suite");
  const auto scroll = page.element("div", {{"class", "scroll"}});
  const auto table = page.element("table", {{"class", "counts"}});
  write_header_row(page, {"Suite", "Cases", "Passed", "Informative", "Waived", "Not proven", "Failed",
                          "Errors", "Ended", "Seconds"});
  const auto row = [&](const std::string& name, const text::Totals& totals, std::string_view ended,
                       double seconds) {
    const auto line = page.element("tr");
    page.leaf("td", name);
    for (const int count : {totals.cases, totals.passed, totals.recorded, totals.waived, totals.not_proven,
                            totals.failed, totals.errors})
      page.leaf("td", fmt::to_string(count), {{"class", "number"}});
    page.leaf("td", ended);
    page.leaf("td", fmt::format("{:.1f}", seconds), {{"class", "number"}});
  };
  for (const judge::JudgedSuite& suite : run.suites)
    row(suite.name, text::totals_of(suite), suite.complete() ? "yes" : "NO", suite.seconds);
  row("all", text::totals_of(run), run.end ? "yes" : "NO", text::time_spent(run).total_s);
}

}  // namespace

void write_scope(text::Markup& page, const judge::JudgedRun& run, const manifest::Evidence& evidence) {
  const auto section = page.section("Scope");
  page.leaf("p", text::verdict_line(run));
  write_facts(page, run);
  page.leaf("p",
            evidence.hash.empty() ? "Not sealed: the record was still being written when this page was made."
                                  : "Evidence SHA-256 " + evidence.hash,
            {{"class", "hash"}});
  write_counts(page, run);
  page.leaf("h3", "Decision rule");
  page.leaf("p", decision_rule(run));
}

namespace {

constexpr std::size_t kNodesBeside = 4;   // columns that fit a page
constexpr std::size_t kMostOnPaper = 16;  // nodes
using Nodes = std::vector<std::pair<std::string, const record::NodeFacts*>>;

// Properties of each part that any of these nodes reports.
std::map<std::string, std::set<std::string>> properties_by_part(const Nodes& nodes) {
  std::map<std::string, std::set<std::string>> parts;
  for (const auto& [node, facts] : nodes)
    for (const auto& [part, properties] : *facts)
      for (const auto& [property, text] : properties) parts[part].insert(property);
  return parts;
}

std::string text_of(const record::NodeFacts& facts, const std::string& part, const std::string& property) {
  const auto properties = facts.find(part);
  if (properties == facts.end()) return "not known";
  const auto found = properties->second.find(property);
  return found == properties->second.end() ? "not known" : found->second;
}

// On paper, nodes after the first few show only differences from the very first node.
void write_fact(text::Markup& page, const Nodes& nodes, const std::string& part, const std::string& property,
                const record::NodeFacts* like) {
  const std::string first = text_of(*nodes.front().second, part, property);
  bool same = true;
  const bool plain = like != nullptr && std::ranges::all_of(nodes, [&](const auto& node) {
                       return text_of(*node.second, part, property) == text_of(*like, part, property);
                     });
  const auto row = page.element("tr", {{"class", plain ? "plain" : "other"}});
  page.leaf("td", property);
  for (const auto& [node, facts] : nodes) {
    const std::string text = text_of(*facts, part, property);
    same = same && text == first;
    page.leaf("td", text);
  }
  // Not a verdict: addresses and serials must differ. Facts that must be alike have their own limit.
  if (nodes.size() > 1) page.leaf("td", same ? "same" : "differs", {{"class", same ? "soft" : ""}});
}

void write_nodes(text::Markup& page, const Nodes& nodes, const record::NodeFacts* like) {
  const auto scroll = page.element("div", {{"class", "scroll"}});
  const auto table = page.element("table", {{"class", "items"}});
  {
    const auto head = page.element("thead");
    const auto row = page.element("tr");
    page.leaf("th", "Fact", {{"scope", "col"}});
    for (const auto& [node, facts] : nodes) page.leaf("th", node, {{"scope", "col"}});
    if (nodes.size() > 1) page.leaf("th", "Nodes", {{"scope", "col"}});
  }
  const std::string width = fmt::to_string(nodes.size() + (nodes.size() > 1 ? 2 : 1));
  for (const auto& [part, properties] : properties_by_part(nodes)) {
    if (!part.empty()) {
      const auto row = page.element("tr");
      page.leaf("th", part, {{"colspan", width}, {"scope", "colgroup"}});
    }
    for (const std::string& property : properties) write_fact(page, nodes, part, property, like);
  }
}

void write_beside_one_another(text::Markup& page, const Nodes& nodes) {
  for (std::size_t first = 0; first < nodes.size(); first += kNodesBeside)
    write_nodes(page,
                {nodes.begin() + static_cast<std::ptrdiff_t>(first),
                 nodes.begin() + static_cast<std::ptrdiff_t>(std::min(first + kNodesBeside, nodes.size()))},
                first == 0 ? nullptr : nodes.front().second);
}

// The first node reports the switches' facts; `switches` are the names in the rig file.
void write_found(text::Markup& page, const judge::JudgedRun& run, const std::set<std::string>& switches) {
  Nodes nodes, others;
  for (const auto& [name, facts] : run.nodes)
    (switches.contains(name) ? others : nodes).emplace_back(name, &facts);
  const std::vector<std::string> verdicts = text::node_lines(run);
  if (!verdicts.empty()) page.leaf("h3", "The verdict on each node");
  for (const std::string& line : verdicts) page.leaf("p", line);
  page.leaf("h3", "Nodes as they were found");
  if (nodes.empty()) page.leaf("p", "No node reported its facts in this run.");
  page.leaf("p", "Each node's own rank read these facts. A fact that is not listed was not read.",
            {{"class", "soft"}});
  if (nodes.size() > kNodesBeside)
    page.leaf("p",
              fmt::format("On paper the nodes from the fifth on show only the facts that differ from {}: "
                          "report.html on a screen has all facts.",
                          nodes.front().first),
              {{"class", "soft on-paper"}});
  write_beside_one_another(page, nodes);
  if (switches.empty()) return;
  page.leaf("h3", "Switches as they were found");
  if (others.empty())
    page.leaf("p", "No switch reported its facts in this run: only the suite 'switch' reads them.");
  write_beside_one_another(page, others);
}

void write_halves(text::Markup& page, const Rig& rig) {
  page.leaf("h3", "Ports and halves as the rig file states them");
  const auto scroll = page.element("div", {{"class", "scroll"}});
  if (rig.nodes.size() > kMostOnPaper)
    page.leaf("p",
              fmt::format("On paper the first {} of {} nodes: report.html on a screen has all of them.",
                          kMostOnPaper, rig.nodes.size()),
              {{"class", "soft on-paper"}});
  const auto table = page.element("table", {{"class", "halves"}});
  write_header_row(
      page, {"Node", "Port", "Port rate", "Half", "RDMA device", "Address", "MAC", "Half rate", "MTU"});
  for (const Node& node : rig.nodes)
    for (const Port& port : node.ports)
      for (const Half& half : port.halves) {
        const bool plain = &node - rig.nodes.data() >= static_cast<std::ptrdiff_t>(kMostOnPaper);
        const auto row = page.element("tr", {{"class", plain ? "plain" : "other"}});
        page.leaf("td", node.name);
        page.leaf("td", port.name);
        page.leaf("td", to_text(to_quantity(port.rate)));
        page.leaf("td", half.netdev);
        page.leaf("td", half.rdma.value_or("none stated"));
        page.leaf("td", fmt::format("{}/{}", half.address, half.prefix_length));
        page.leaf("td", half.mac.value_or("not stated"));
        page.leaf("td", to_text(to_quantity(half.rate)));
        page.leaf("td", to_text(to_quantity(half.mtu), "B"));
      }
}

void write_links(text::Markup& page, const Rig& rig) {
  page.leaf("h3", "Links and rails as the rig file states them");
  const auto scroll = page.element("div", {{"class", "scroll"}});
  const auto table = page.element("table");
  write_header_row(page, {"Name", "Kind", "Ends", "Through"});
  const auto row = [&](const std::string& name, std::string_view kind, const std::string& ends,
                       const std::string& through) {
    const auto line = page.element("tr");
    for (const std::string_view cell :
         {std::string_view(name), kind, std::string_view(ends), std::string_view(through)})
      page.leaf("td", cell);
  };
  for (const Link& link : rig.links) {
    std::vector<std::string> ends;
    for (const PortRef port : link.ports) ends.push_back(rig.label(port));
    row(link.name, link.through ? "link through a switch" : "cable", fmt::format("{}", fmt::join(ends, ", ")),
        link.through.value_or("straight"));
  }
  for (const Rail& rail : rig.rails) {
    std::vector<std::string> ends;
    for (const HalfRef half : rail.halves) ends.push_back(rig.label(half));
    row(rail.name, "rail", fmt::format("{}", fmt::join(ends, ", ")), "");
  }
}

std::set<std::string> names_of_switches(const Rig& rig) {
  std::set<std::string> names;
  for (const Switch& one : rig.switches) names.insert(one.name);
  return names;
}

std::string unreadable_text(const judge::JudgedRun& run) {
  try {
    (void)read_rig(toml::Document::parse(run.start.rig_file.text, run.start.rig_file.file));
  } catch (const toml::InputError& error) {
    return fmt::format("The recorded rig file cannot be read: {}", error.what());
  }
  return "";
}

}  // namespace

void write_items(text::Markup& page, const judge::JudgedRun& run, const Rig* rig) {
  const auto section = page.section("Items and environment");
  write_found(page, run, rig == nullptr ? std::set<std::string>() : names_of_switches(*rig));
  if (rig == nullptr) return page.leaf("p", unreadable_text(run));
  write_halves(page, *rig);
  write_links(page, *rig);
}

}  // namespace rigproof::html
