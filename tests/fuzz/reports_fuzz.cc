// Whatever texts a record holds: report.html is well-formed, has the elements it always has, and nothing in it runs or
// loads; ocp.jsonl is lines of JSON, numbered; metrics.txt is OpenMetrics; summary.md has no tag.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "reports/html/report_html.h"
#include "reports/markdown/summary.h"
#include "reports/ocp/ocp.h"
#include "reports/openmetrics/openmetrics.h"
#include "tests/fuzz/hostile_record.h"
#include "tests/fuzz/well_formed.h"

namespace rigproof {
namespace {

std::string written(const judge::JudgedRun& run, void (*write)(const judge::JudgedRun&, std::ostream&)) {
  std::ostringstream out;
  write(run, out);
  return out.str();
}

// True for a link to a section of the page: "#limits-and-their-sources".
bool is_own_anchor(const xmlAttr* href) {
  static const std::regex kAnchor("#[a-z-]+");
  const xmlNode* text = href->children;
  return text != nullptr && text->next == nullptr && text->content != nullptr &&
         std::regex_match(reinterpret_cast<const char*>(text->content), kAnchor);
}

void require_harmless(const xmlNode* node) {
  static const std::set<std::string> kRunsOrLoads{
      "script", "iframe", "object", "embed", "link", "img", "image", "form", "base", "use", "foreignObject"};
  for (; node != nullptr; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    const std::string element = reinterpret_cast<const char*>(node->name);
    require(!kRunsOrLoads.contains(element), "no text becomes an element: " + element);
    for (const xmlAttr* at = node->properties; at != nullptr; at = at->next) {
      const std::string attribute = reinterpret_cast<const char*>(at->name);
      const bool in_page = element == "a" && is_own_anchor(at);
      require(!attribute.starts_with("on") && attribute != "src" && (attribute != "href" || in_page),
              "no text becomes an attribute: " + attribute);
    }
    require_harmless(node->children);
  }
}

void require_a_page(const std::string& text) {
  const XmlDocument document = well_formed(text);
  require_harmless(xmlDocGetRootElement(document.get()));
}

void require_lines_of_json(const std::string& text) {
  std::istringstream lines(text);
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    require(json.is_object(), "a line of ocp.jsonl is an object: " + line);
    require(json.at("sequenceNumber") == number, "the lines of ocp.jsonl are numbered");
  }
}

void require_metrics(const std::string& text) {
  static const std::regex kSample(
      R"re([a-z_]+\{([a-z_]+="([^"\\\n]|\\["\\n])*"(,[a-z_]+="([^"\\\n]|\\["\\n])*")*)?\} \S+)re",
      std::regex::optimize);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // The library's matcher takes a frame of the stack a character.
    if (line.starts_with('#') || line.size() > 2000) continue;
    require(std::regex_match(line, kSample), "a sample is one: " + line);
  }
  require(text.ends_with("\n# EOF\n"), "metrics.txt has its end");
}

}  // namespace
}  // namespace rigproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rigproof;
  const judge::JudgedRun run = hostile_record(data, size);
  require_a_page(written(
      run, [](const judge::JudgedRun& r, std::ostream& out) { html::write_report_html(r, {}, out); }));
  require_lines_of_json(written(run, ocp::write_ocp));
  require_metrics(written(run, openmetrics::write_metrics));
  // But for the empty comment, which keeps a forge from making a mention or an emoji of a text.
  const std::string summary =
      std::regex_replace(written(run, markdown::write_summary), std::regex("<!-- -->"), "");
  require(summary.find('<') == std::string::npos, "summary.md has no tag");
  return 0;
}
