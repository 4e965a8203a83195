#include <fmt/format.h>

#include "reports/html/sections.h"
#include "reports/text/markup.h"

namespace rigproof::html {
namespace {

// The charts repeat these colours as presentation attributes, because WeasyPrint applies no CSS to SVG. It also supports
// var() in no shorthand: use background-color, not background.
constexpr std::string_view kStyle = R"css(
:root{--paper:#ffffff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--good:#0b6b4f;
--good-cell:#e2f2ec;--near:#7d4e00;--near-cell:#fbe9b7;--open:#5b3d8f;--open-cell:#e6dcf5;--bad:#a8320b;
--bad-cell:#a8320b;--on-bad:#ffffff}
@media screen and (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9aa4ae;--line:#3d444d;
--panel:#161b22;--good:#56c596;--good-cell:#12352a;--near:#e3b341;--near-cell:#4a3800;--open:#c4a7f5;
--open-cell:#352556;--bad:#ff8a66;--bad-cell:#ff8a66;--on-bad:#210800}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:66rem;padding:1.2rem;background-color:var(--paper);color:var(--ink);
font-family:Arial,"Liberation Sans",Arimo,Helvetica,sans-serif;font-size:14px;line-height:1.35;overflow-wrap:break-word}
h1{font-size:1.5rem;margin:.1rem 0 .5rem}h1.appendix{margin-top:3rem}
h2{font-size:1.15rem;margin:1.3rem 0 .35rem}h3{font-size:.95rem;margin:.9rem 0 .3rem}
p{margin:.3rem 0}a{color:var(--good)}
table{border-collapse:collapse;width:100%;margin:.3rem 0 .8rem;font-size:.82rem}
th,td{border-bottom:1px solid;border-bottom-color:var(--line);padding:.18rem .4rem;text-align:left;
vertical-align:top;overflow-wrap:anywhere}
thead th{color:var(--soft);font-weight:normal;overflow-wrap:normal}
tbody th{font-weight:normal}
td.number{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}
code,pre,.hash code{font-family:"DejaVu Sans Mono","Liberation Mono",monospace;font-size:.75rem;
overflow-wrap:anywhere;white-space:pre-wrap}
pre{margin:.25rem 0}
.soft{color:var(--soft)}.good{color:var(--good)}.near{color:var(--near)}.open{color:var(--open)}.bad{color:var(--bad)}
.warning{border:2px dashed;border-color:var(--bad);padding:.4rem .8rem;margin:.6rem 0;font-weight:bold}
.cell{text-align:center;overflow-wrap:normal}
.cell.good{background-color:var(--good-cell);color:var(--ink)}
.cell.near{background-color:var(--near-cell);color:var(--ink)}
.cell.open{background-color:var(--open-cell);color:var(--ink)}
.cell.bad{background-color:var(--bad-cell);color:var(--on-bad);font-weight:bold}
table.verdict{border:2.5px solid;border-color:currentColor;margin:.5rem 0}
.verdict td{border:0;vertical-align:middle;padding:.5rem .8rem}
.verdict.good{background-color:var(--good-cell)}.verdict.open{background-color:var(--open-cell)}
.verdict.bad{background-color:var(--bad-cell);color:var(--on-bad)}
.verdict .glyph{font-size:2rem;width:3rem;text-align:center}
.verdict strong{font-size:1.6rem;display:block}.verdict .facts{font-size:.8rem;width:46%}
.verdict .facts span{display:inline-block;width:4rem}
.suites td{border-bottom:0;border-top:3px solid;border-top-color:currentColor;padding:.2rem .5rem .2rem 0}
.suites div{color:var(--soft)}.suites b{white-space:nowrap}
.legend .entry{white-space:nowrap}.legend .key{display:inline-block;padding:0 .35rem;margin-left:.4rem}
svg.rig{width:100%}div.narrow{display:none}div.narrow svg{max-width:30rem}.headlines td.soft{font-size:.72rem;overflow-wrap:normal}.headlines td.bounds,.headlines td.number{white-space:nowrap}.headlines .cell{width:1.6rem}.headlines b{white-space:nowrap}.headlines td{vertical-align:middle}
.headlines .id{font-size:.72rem}.headlines td.all{width:138px;white-space:nowrap}
.headlines tr.loud{background-color:var(--panel)}
table.beside{table-layout:fixed}.beside>tbody>tr>td,.beside>tr>td{border:0;padding:0 1rem 0 0}
.against{border-left:3px solid;border-left-color:currentColor;padding-left:.6rem;overflow-wrap:anywhere}
.signatures td{border:0;padding:.3rem 1rem .3rem 0;width:33%}
.signatures .line{border-bottom:1px solid;border-bottom-color:var(--soft);color:var(--soft);padding-top:1.1rem;
font-size:.75rem}
.matrix{font-size:.74rem}.matrix th,.matrix td{padding:.1rem .3rem}.matrix tbody th{white-space:nowrap}
.matrix td.soft{white-space:nowrap}.matrix td.limit{white-space:nowrap}.matrix td.limit.long{white-space:normal}.matrix .limit,.matrix .soft{color:var(--soft)}.matrix .cell{border-left:2px solid;border-left-color:var(--paper);
font-variant-numeric:tabular-nums}.matrix th.node,.matrix th.part{text-align:center}.matrix th.node{color:var(--ink);
font-weight:bold}
.badge{border:1.5px solid;border-radius:.3rem;padding:0 .3rem;font-weight:bold;font-size:.72rem;
white-space:nowrap;display:inline-block}
.badge.bad{border-style:double;border-width:3px}.badge.near{border-style:dashed}
.finding{border-left:.3rem solid;border-left-color:var(--bad);padding:.1rem 0 .1rem .7rem;margin:.6rem 0;
overflow-wrap:anywhere}
.finding.near{border-left-style:dashed;color:inherit;border-left-color:var(--near)}
.finding p,.finding ul{margin:.2rem 0}.finding .also{font-size:.82rem}
.results td.again{border-top:0}.scroll{overflow-x:auto}@media screen{.on-paper{display:none}.scroll svg{max-width:none}}@media print{.on-screen{display:none}}
figure{margin:.6rem 0;break-inside:avoid}.plots figure{display:inline-block;width:49%;vertical-align:top;
margin:.3rem 0}@media screen and (max-width:700px){.plots figure{display:block;width:100%}}
figcaption{font-size:.85rem;font-weight:bold}
svg{max-width:100%;height:auto;color:var(--ink);display:block}.headlines svg{display:inline}
svg .ink{fill:var(--ink)}svg .soft{fill:var(--soft)}svg .grid{stroke:var(--line)}svg .axis{stroke:var(--soft)}
svg .good{fill:var(--good)}svg .near{fill:var(--near)}svg .bad{fill:var(--bad)}svg .on-bad{fill:var(--on-bad)}
svg .limit{stroke:var(--bad)}svg .limit-ink{fill:var(--bad)}svg .band{fill:var(--near)}svg .paper{fill:var(--paper)}
svg .bound{stroke:var(--ink)}svg .dot{fill:var(--soft)}svg .outage{fill:var(--bad)}
svg .box{fill:var(--panel)}svg .cell-good{fill:var(--good-cell)}svg .cell-near{fill:var(--near-cell)}
svg .cell-open{fill:var(--open-cell)}svg .cell-bad{fill:var(--bad-cell)}
svg .cell-soft,svg .cell-none{fill:var(--panel)}
svg .edge-good{stroke:var(--good)}svg .edge-near{stroke:var(--near)}svg .edge-open{stroke:var(--open)}
svg .edge-bad{stroke:var(--bad)}svg .fill-edge-good,svg .ink-good{fill:var(--good)}
svg .fill-edge-near,svg .ink-near{fill:var(--near)}svg .fill-edge-open,svg .ink-open{fill:var(--open)}
svg .fill-edge-bad,svg .ink-bad{fill:var(--bad)}
@media screen and (prefers-color-scheme:dark){svg .line.c0{stroke:#79c0ff}svg .mark.c0{fill:#79c0ff}
svg .line.c1{stroke:#ffa657}svg .mark.c1{fill:#ffa657}svg .line.c2{stroke:#56d364}svg .mark.c2{fill:#56d364}
svg .line.c3{stroke:#d2a8ff}svg .mark.c3{fill:#d2a8ff}svg .line.c4{stroke:#39c5cf}svg .mark.c4{fill:#39c5cf}
svg .line.c5{stroke:#e3b341}svg .mark.c5{fill:#e3b341}}
@media screen and (max-width:900px){.headlines thead{display:none}.headlines tr{display:block;border-bottom:1px solid;
border-bottom-color:var(--line)}.headlines td{display:inline-block;border:0;padding:.05rem .7rem .05rem 0;text-align:left}
.headlines td.cell{float:left;width:auto;padding:.05rem .35rem;margin-right:.4rem}.headlines td:nth-child(2){display:block}
.headlines td:nth-child(4)::before{content:"limit "}.headlines td:nth-child(6)::before{content:"margin "}
.headlines td:nth-child(7)::before{content:"at "}.headlines td:nth-child(8)::before{content:"source, line: "}
.headlines td.all,.headlines b{white-space:normal}.headlines td.all{width:auto}}
@media screen and (max-width:900px){.suites td{display:inline-block;width:24%}}
@media screen and (max-width:700px){body{padding:.7rem}figure{overflow-x:auto}figure svg{min-width:44rem}.plots svg{min-width:26rem}div.wide{display:none}div.narrow{display:block}
.verdict td{display:block;width:auto}.verdict td.glyph{float:left;width:auto;padding-right:.5rem}.verdict .facts{width:auto;clear:both}
.beside td{display:block}.suites td{display:inline-block;width:32%}}
@media print{html{font-size:8.2pt}body{max-width:none;padding:0;font-size:8.2pt;line-height:1.25}
svg.rig{max-height:54mm}.roomy svg.rig{max-height:70mm}svg.heat{max-height:215mm}.first>h1{display:none}.first pre,code,pre,.hash code,.badge{font-size:7pt}
.first .headlines{table-layout:fixed;font-size:7pt;line-height:1.08}.headlines td,.headlines td.soft,.headlines .id{font-size:7pt}
.headlines td.soft{overflow-wrap:anywhere}.headlines b{white-space:normal}
.headlines th:nth-child(1){width:5mm}.headlines th:nth-child(2){width:47mm}.headlines th:nth-child(3){width:19mm}
.headlines th:nth-child(4){width:28mm}.headlines th:nth-child(5){width:22mm}.headlines th:nth-child(6){width:13mm}
.headlines th:nth-child(8){width:24mm}.headlines svg{width:20mm}
h2{break-after:avoid}h3{break-after:avoid}.first{break-after:page}h1.appendix{break-before:page}
h1{font-size:13pt;margin:0 0 1.5mm}.first>p.soft{margin:0;font-size:7.2pt}.first h2{font-size:10pt;margin:1.5mm 0 .5mm}
.first h3{font-size:8.2pt;margin:1mm 0 .3mm}.first .few{margin:0;padding-left:4mm}.first .few p{margin:0}
.verdict strong{font-size:15pt}.verdict td{padding:1mm 2.5mm}.signatures .line{padding-top:2.8mm}
.first .headlines td,.first .headlines th{padding:.1mm .8mm}.first .beside{font-size:7pt;line-height:1.12}
.first .suites{font-size:7.2pt;margin:.5mm 0}.first table{margin:.5mm 0 1mm}.first .legend{font-size:7pt;margin-top:1mm}
.headlines td.all{width:auto}.first .hash{font-size:7pt}
table{font-size:7pt}.matrix{font-size:7pt;line-height:1.1;table-layout:fixed}.matrix tbody th{white-space:normal}.matrix th.node,.matrix th.part{overflow-wrap:anywhere}.matrix .cell.text{overflow-wrap:anywhere}.matrix td.unit,.matrix th.unit{display:none}
.matrix thead th:nth-child(1){width:43mm}.matrix thead th:nth-child(2){width:28mm}
.matrix thead tr+tr th{width:auto}.matrix th,.matrix td{padding:.12mm .4mm}
.figures.broad{page:broad}.first .against{margin:.3mm 0;font-size:7pt}pre{margin:.3mm 0}
.results,.log,.sources,.items{table-layout:fixed}.results th:nth-child(1){width:19%}.results th:nth-child(2){width:18%}
.results th:nth-child(3){width:10%}.results th:nth-child(4){width:3%}.results th:nth-child(5){width:12%}
.results th:nth-child(6){width:13%}.results th:nth-child(7){width:6%}.results th:nth-child(8){width:9%}
.passed{table-layout:fixed}.passed th:nth-child(1){width:25%}.passed th:nth-child(2){width:18%}.passed th:nth-child(3),.passed th:nth-child(4){width:6%}.passed th:nth-child(5){width:14%}.passed th:nth-child(7){width:7%}.passed th:nth-child(8){width:11%}
.sources th:nth-child(1){width:17%}.sources th:nth-child(2){width:7%}.sources th:nth-child(3){width:18%}
.results tr.aside,.results tr.plain,.results.plain,.log tr.plain,.items tr.plain,.halves tr.plain{display:none}.boxes{columns:2;column-gap:4mm}ul.boxes{font-size:6.6pt;line-height:1.1;padding-left:3mm}ul.boxes p{margin:0}
.finding{font-size:6.6pt;line-height:1.1;margin:0 0 .8mm;padding:0 0 0 1.5mm}.finding p,.finding ul{margin:0}
.finding ul{padding-left:2.5mm}.finding .also{font-size:6.6pt}.finding .detail{display:none}
.badge{padding:0 .15rem}.results,.items,.log,.passed,.sources{font-size:6.3pt;line-height:1.12}.margins svg{width:85%}
tr,.signatures{break-inside:avoid}.log th:first-child,.scope th{width:24%}.counts th:first-child{width:16%}
thead{display:table-header-group}.verdict{break-inside:avoid}.finding{orphans:4;widows:4}
.scroll{overflow:visible}a{color:inherit;text-decoration:none}}
)css";

// A CSS string: quotes, backslashes and characters that could end the style element are escaped as code points.
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
  constexpr std::string_view kBox =
      "{}{{content:{};font:7pt Arial,\"Liberation Sans\",sans-serif;color:#333}}\n";
  return fmt::format(
      "{}@page{{margin:14mm 12mm 15mm}}\n@page broad{{size:landscape}}\n@page{{\n{}{}{}{}}}\n", kStyle,
      fmt::format(fmt::runtime(kBox), "@top-left", css_string(texts.title)),
      fmt::format(fmt::runtime(kBox), "@top-right", css_string(texts.warning)),
      fmt::format(fmt::runtime(kBox), "@bottom-left", css_string(texts.foot)),
      fmt::format(fmt::runtime(kBox), "@bottom-right", "\"page \" counter(page) \" of \" counter(pages)"));
}

}  // namespace rigproof::html
