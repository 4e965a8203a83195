#include "reports/html/sections.h"

#include <fmt/format.h>

#include "reports/text/clean.h"

namespace rigproof::html {
namespace {

// Colours that also stand as presentation attributes in the charts: WeasyPrint applies no CSS to SVG.
constexpr std::string_view kStyle = R"css(
:root{--paper:#ffffff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;
--good:#116329;--near:#7d4e00;--bad:#a40e26;--link:#0550ae}
@media screen and (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9198a1;
--line:#3d444d;--panel:#161b22;--good:#56d364;--near:#e3b341;--bad:#ff7b72;--link:#79c0ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:75rem;padding:1.5rem;background:var(--paper);color:var(--ink);
font:15px/1.45 "DejaVu Sans",system-ui,"Liberation Sans",Arial,sans-serif}
h1{font-size:1.7rem;margin:.2rem 0 .6rem}
h2{font-size:1.2rem;margin:2rem 0 .6rem;border-bottom:2px solid;border-color:var(--line);padding-bottom:.2rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
a{color:var(--link)}
table{border-collapse:collapse;width:100%;font-size:.82rem;margin:.4rem 0 1rem}
th,td{border:1px solid;border-color:var(--line);padding:.25rem .45rem;text-align:left;vertical-align:top;
overflow-wrap:anywhere}
th{background:var(--panel)}
th{overflow-wrap:normal}td.number{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}
p,li,h2,h3{overflow-wrap:anywhere}.items td:first-child{overflow-wrap:normal}
code,pre{font-family:"DejaVu Sans Mono",ui-monospace,monospace;font-size:.8rem;overflow-wrap:anywhere}
.verdict{border:3px solid;border-radius:.5rem;padding:.8rem 1rem;margin:1rem 0}
.verdict strong{font-size:1.5rem;display:block}
.warning{border:3px dashed;border-color:var(--bad);padding:.6rem 1rem;margin:1rem 0;font-weight:bold}
.good{color:var(--good)}.near{color:var(--near)}.bad{color:var(--bad)}.soft{color:var(--soft)}
.badge{border:1.5px solid;border-radius:.3rem;padding:0 .35rem;font-weight:bold;font-size:.78rem;
white-space:nowrap;display:inline-block}
.badge.bad{border-style:double;border-width:3px}.badge.near{border-style:dashed}
.finding{border-left:.35rem solid;border-color:var(--bad);padding:.1rem 0 .1rem .8rem;margin:.8rem 0}
.finding.near{border-left-style:dashed;color:inherit;border-color:var(--near)}
.finding p,.finding ul{margin:.25rem 0}
.scroll{overflow-x:auto}
figure{margin:1rem 0;break-inside:avoid}
figcaption{font-size:.85rem;color:var(--soft)}
svg{max-width:100%;height:auto;color:var(--ink)}
svg .good{fill:var(--good);color:inherit}svg .near{fill:var(--near)}svg .bad{fill:var(--bad)}
svg .ink{fill:var(--ink)}svg .soft{fill:var(--soft)}svg .grid{stroke:var(--line)}svg .axis{stroke:var(--soft)}
svg .limit{stroke:var(--bad)}svg .band{fill:var(--near)}
@media screen and (prefers-color-scheme:dark){svg .line.c0{stroke:#79c0ff}svg .mark.c0{fill:#79c0ff}
svg .line.c1{stroke:#ffa657}svg .mark.c1{fill:#ffa657}svg .line.c2{stroke:#56d364}svg .mark.c2{fill:#56d364}
svg .line.c3{stroke:#d2a8ff}svg .mark.c3{fill:#d2a8ff}svg .line.c4{stroke:#39c5cf}svg .mark.c4{fill:#39c5cf}
svg .line.c5{stroke:#e3b341}svg .mark.c5{fill:#e3b341}}
.signature{height:4.2rem}
.hash{font-family:"DejaVu Sans Mono",ui-monospace,monospace;font-size:.75rem;overflow-wrap:anywhere}
@media print{table{table-layout:fixed}.results th:nth-child(1){width:19%}.results th:nth-child(2){width:18%}
.results th:nth-child(3){width:10%}.results th:nth-child(4){width:4%}.results th:nth-child(5){width:13%}
.results th:nth-child(6){width:13%}.results th:nth-child(7){width:6%}.results th:nth-child(8){width:9%}
.badge{font-size:6pt;padding:0 .15rem}body{max-width:none;padding:0;font-size:9.5pt}h2{break-after:avoid}h3{break-after:avoid}
tr,.signatures{break-inside:avoid}.log th:first-child,.scope th{width:24%}.counts th:first-child{width:16%}
thead{display:table-header-group}.finding,.verdict{break-inside:avoid}
table{font-size:7.2pt}.scroll{overflow:visible}a{color:inherit;text-decoration:none}}
)css";

// A string of CSS: quotes, backslashes and what could end the style element are escaped as code points.
std::string css_string(std::string_view text) {
  std::string out = "\"";
  for (const char character : text::shortened(text::one_line(text), 160)) {
    const bool plain = std::string_view("\"\\<>&'").find(character) == std::string_view::npos;
    out += plain ? std::string(1, character)
                 : fmt::format("\\{:06x} ", static_cast<unsigned>(static_cast<unsigned char>(character)));
  }
  return out + "\"";
}

}  // namespace

std::string style_sheet(const PageTexts& texts) {
  constexpr std::string_view kBox = "{}{{content:{};font:7pt \"DejaVu Sans\",sans-serif;color:#333}}\n";
  return fmt::format(
      "{}@page{{margin:16mm 12mm 18mm}}\n@page{{\n{}{}{}{}}}\n", kStyle,
      fmt::format(fmt::runtime(kBox), "@top-left", css_string(texts.title)),
      fmt::format(fmt::runtime(kBox), "@top-right", css_string(texts.warning)),
      fmt::format(fmt::runtime(kBox), "@bottom-left", css_string(texts.foot)),
      fmt::format(fmt::runtime(kBox), "@bottom-right", "\"page \" counter(page) \" of \" counter(pages)"));
}

}  // namespace rigproof::html
