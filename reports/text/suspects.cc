#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::text {
namespace {

using judge::Suspect;
using Part = Suspect::Part;
using Way = Suspect::Way;

bool is_between(const Suspect& suspect) {
  return suspect.part == Part::kCable || suspect.part == Part::kPair || suspect.part == Part::kPath;
}

// "node-c port1 to node-d port0"
std::string ends_of(const Suspect& suspect, bool ports) {
  const auto end = [&](const std::string& node, const std::string& port) {
    return ports ? fmt::format("{} {}", node, port) : node;
  };
  return fmt::format("{} {} {}", end(suspect.node, suspect.port),
                     suspect.way == Way::kBoth && !ports ? "and" : "to",
                     end(suspect.peer, suspect.peer_port));
}

// A port's rates also depend on its cable and on the switch port at the far end.
std::string port_text(const Suspect& suspect) {
  std::string text = fmt::format("{} {} with its cable", suspect.node, suspect.port);
  if (suspect.through.empty()) return text;
  return text + fmt::format(" and {} of {}", suspect.interface.empty() ? "the port" : suspect.interface,
                            suspect.through);
}

std::string part_text(const Suspect& suspect) {
  switch (suspect.part) {
    case Part::kCable:
      return fmt::format("{} ({})", suspect.link, ends_of(suspect, true));
    case Part::kPair:
      return ends_of(suspect, false);
    case Part::kPath:
      return fmt::format("{} on {}", ends_of(suspect, false), suspect.rail);
    case Part::kNode:
      return suspect.node;
    case Part::kPort:
      return port_text(suspect);
    case Part::kHalf:
      return fmt::format("{} {} ({})", suspect.node, suspect.netdev, suspect.rail);
  }
  return suspect.node;
}

std::string way_text(const Suspect& suspect) {
  if (is_between(suspect)) return suspect.way == Way::kBoth ? "" : ", in this direction only";
  switch (suspect.way) {
    case Way::kSends:
      return ", sending side";
    case Way::kReceives:
      return ", receiving side";
    case Way::kBoth:
      return ", both directions";
  }
  return "";
}

std::string share_text(const Suspect& suspect) {
  const double percent = suspect.share * 100;
  return fmt::format("{:.{}f} %", percent, percent > 94.5 ? 1 : 0);
}

std::string_view not_separable_text(Part part) {
  switch (part) {
    case Part::kCable:
      return "the cable or a port at either end";
    case Part::kPath:
      return "the path or a half at either end";
    default:
      return "the path between them or a node at either end";
  }
}

std::string confirmed_text(const Suspect& suspect) {
  const auto& nodes = suspect.confirmed_with;
  if (nodes.empty()) return "not confirmed: not measured with two known-good nodes";
  const std::string names = fmt::format("{}", fmt::join(nodes, " and "));
  if (is_between(suspect)) return "both are sound with " + names;
  return nodes.size() < 2 ? fmt::format("seen with {} only: not confirmed", names)
                          : "confirmed with " + names;
}

}  // namespace

std::string suspect_text(const judge::Suspect& suspect) {
  std::string text = part_text(suspect) + way_text(suspect) + ": ";
  if (suspect.alone)
    return one_line(text + share_text(suspect) +
                    " of the required rate; not separable: with two nodes it can be either node or the path "
                    "between them");
  text += share_text(suspect) + " of its peers'";
  if (suspect.missed == 0) text += ", no case failed for it";
  if (!suspect.separable) text += fmt::format("; not separable: {}", not_separable_text(suspect.part));
  if (suspect.separable || !suspect.confirmed_with.empty()) text += "; " + confirmed_text(suspect);
  return one_line(text);
}

std::vector<std::string> suspect_lines(const judge::Blame& blame) {
  std::vector<std::string> lines;
  for (const judge::Suspect& suspect : blame.suspects) lines.push_back(suspect_text(suspect));
  if (blame.unexplained > 0)
    lines.push_back(
        fmt::format("not separable: {} of {} missed rates between nodes are as slow as their peers, or too "
                    "scattered to name a part",
                    blame.unexplained, blame.missed));
  return lines;
}

}  // namespace rigproof::text
