#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "reports/charts/charts.h"
#include "reports/html/sections.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::html {
namespace {

using figures::Cell;
using figures::Mark;
using figures::Matrix;
using figures::PairTable;
using figures::Row;
using Kind = figures::Place::Kind;

constexpr std::size_t kColumns = 16;  // that fit a page
constexpr std::size_t kUpright = 8;   // more columns are printed in landscape
constexpr double kLongCount = 1e7;    // digits of larger counts would push the last column off an A4 page

std::string_view title_of(Kind kind) {
  switch (kind) {
    case Kind::kHalf:
      return "Every half";
    case Kind::kPort:
      return "Every port and its cable";
    case Kind::kNode:
      return "Every node";
    default:
      return "The run as a whole";
  }
}

constexpr std::size_t kLongestLimit = 60,
                      kLongestNumbers = 26;  // bytes; "85.00 … 105.0 Gbit/s" stays on one line

// One column per node, with the worst of its parts.
Matrix by_node(const Matrix& matrix) {
  Matrix folded{matrix.kind, {}, matrix.rows};
  std::map<std::string, std::size_t> index;
  for (const auto& [node, part] : matrix.columns)
    if (index.emplace(node, folded.columns.size()).second) folded.columns.emplace_back(node, "");
  for (Row& row : folded.rows) {
    std::vector<Cell> cells(folded.columns.size());
    for (std::size_t column = 0; column < row.cells.size(); ++column)
      figures::merge(cells[index.at(matrix.columns[column].first)], row.cells[column]);
    row.cells = std::move(cells);
  }
  return folded;
}

// Keeps the nodes with the most findings, and merges all others into one column.
Matrix narrowed(const Matrix& matrix) {
  std::vector<std::pair<int, std::size_t>> order;
  for (std::size_t column = 0; column < matrix.columns.size(); ++column)
    order.emplace_back(
        -static_cast<int>(std::ranges::count_if(
            matrix.rows, [&](const Row& row) { return row.cells[column].mark > Mark::kGood; })),
        column);
  std::ranges::sort(order);
  Matrix few{matrix.kind, {}, matrix.rows};
  for (std::size_t i = 0; i + 1 < kColumns; ++i) few.columns.push_back(matrix.columns[order[i].second]);
  few.columns.emplace_back(fmt::format("{} others", matrix.columns.size() + 1 - kColumns), "");
  for (Row& row : few.rows) {
    std::vector<Cell> cells(kColumns);
    for (std::size_t i = 0; i < order.size(); ++i)
      figures::merge(cells[std::min(i, kColumns - 1)], row.cells[order[i].second]);
    row.cells = std::move(cells);
  }
  return few;
}

std::string cell_text(const Cell& cell, const Row& row) {
  if (cell.count == 0) return "";
  if (!cell.text.empty()) return cell.text;
  if (row.yes_or_no && cell.value) return *cell.value == 1 ? "✓" : fmt::format("{:g}", *cell.value);
  if (cell.value && row.dimension == Dimension::kCount && std::abs(*cell.value) >= kLongCount)
    return fmt::format("{:.2e}", *cell.value);
  if (cell.value && row.unit.empty() && row.dimension == Dimension::kRatio)
    return figures::number_text(*cell.value, "%", row.dimension) + " %";
  if (cell.value && row.unit.empty()) return text::quantity_text({row.dimension, *cell.value}, "");
  return cell.value ? figures::number_text(*cell.value, row.unit, row.dimension) : figures::kUnread;
}

class Table {
 public:
  Table(text::Markup& page, const Matrix& matrix) : page_(page), matrix_(matrix) {}

  void write() {
    const auto scroll = page_.element("div", {{"class", "scroll"}});
    const auto table = page_.element("table", {{"class", "matrix"}});
    write_head();
    for (const Row& row : matrix_.rows)
      if (!is_unread(row)) write_row(row);
  }
  [[nodiscard]] std::string unread() const {
    std::vector<std::string> ids;
    for (const Row& row : matrix_.rows)
      if (is_unread(row)) ids.push_back(row.id);
    return fmt::format("{}", fmt::join(ids, ", "));
  }

 private:
  static bool is_unread(const Row& row) {
    return std::ranges::all_of(row.cells, [](const Cell& cell) {
      return cell.count == 0 || (cell.mark <= Mark::kRecorded && cell.text == figures::kUnread);
    });
  }

  void write_head() {
    const auto head = page_.element("thead");
    const bool parts =
        std::ranges::any_of(matrix_.columns, [](const auto& column) { return !column.second.empty(); });
    const std::string rows = parts ? "2" : "1";
    {
      const auto line = page_.element("tr");
      // Hidden on paper, because limits show the unit, too.
      for (const auto& [word, css] :
           {std::pair("Expectation", "id"), std::pair("Limit", "bounds"), std::pair("Unit", "unit")})
        page_.leaf("th", word, {{"class", css}, {"rowspan", rows}, {"scope", "col"}});
      for (std::size_t first = 0; first < matrix_.columns.size();) {
        std::size_t end = first;
        while (end < matrix_.columns.size() && matrix_.columns[end].first == matrix_.columns[first].first)
          ++end;
        const std::string& node = matrix_.columns[first].first;
        page_.leaf("th", node.empty() ? matrix_.columns[first].second : node,
                   {{"class", "node"}, {"colspan", fmt::to_string(end - first)}, {"scope", "colgroup"}});
        first = end;
      }
    }
    if (!parts || matrix_.kind == Kind::kRun) return;
    const auto line = page_.element("tr");
    for (const auto& [node, part] : matrix_.columns)
      page_.leaf("th", part, {{"class", "part"}, {"scope", "col"}});
  }

  void write_row(const Row& row) {
    const auto line = page_.element("tr");
    page_.leaf("th", row.id, {{"scope", "row"}});
    const bool long_text = row.limit.size() > kLongestNumbers;
    page_.leaf("td", text::shortened(row.limit, kLongestLimit),
               {{"class", long_text ? "limit long" : "limit"}});
    const bool has_unit =
        std::ranges::any_of(row.cells, [](const Cell& cell) { return cell.value.has_value(); });
    page_.leaf("td", has_unit && !row.yes_or_no ? row.unit : "", {{"class", "soft unit"}});
    for (std::size_t first = 0; first < row.cells.size();) {
      std::size_t end = first + 1;
      while (end < row.cells.size() && same(row, first, end)) ++end;
      write_cell(row, row.cells[first], end - first);
      first = end;
    }
  }

  // Equal texts in adjacent cells share one cell.
  static bool same(const Row& row, std::size_t a, std::size_t b) {
    const Cell &one = row.cells[a], &other = row.cells[b];
    return !one.text.empty() && one.text == other.text && one.mark == other.mark;
  }

  void write_cell(const Row& row, const Cell& cell, std::size_t columns) {
    const figures::Look& look = figures::look_of(cell.mark);
    std::string text = cell_text(cell, row);
    if (!cell.statistic.empty()) text = cell.statistic + " " + text;
    if (cell.mark > Mark::kGood) text = fmt::format("{} {}", look.glyph, text);
    page_.leaf("td", text,
               {{"class", fmt::format("cell {}{}", look.css, cell.text.empty() ? "" : " text")},
                {"colspan", fmt::to_string(columns)}});
  }

  text::Markup& page_;
  const Matrix& matrix_;
};

struct Fitted {
  Matrix matrix;
  std::string note;  // meaning of a cell after merging
};

// Merges columns until they fit a page.
Fitted fitted(Matrix matrix) {
  Fitted fitted;
  if (matrix.columns.size() > kColumns) {
    const std::size_t parts = matrix.columns.size();
    matrix = by_node(matrix);
    if (matrix.columns.size() < parts) fitted.note = "A cell shows the worst of its node's parts. ";
  }
  if (matrix.columns.size() > kColumns) {
    matrix = narrowed(matrix);
    fitted.note += "Each node with findings has a column, all other nodes share one.";
  }
  fitted.matrix = std::move(matrix);
  return fitted;
}

void write_matrix(text::Markup& page, const Fitted& fitted) {
  page.leaf("h3", title_of(fitted.matrix.kind));
  if (!fitted.note.empty()) page.leaf("p", fitted.note, {{"class", "soft"}});
  Table table(page, fitted.matrix);
  table.write();
  if (const std::string unread = table.unread(); !unread.empty())
    page.leaf("p", "Not readable, or not present, on any part: " + unread + ".", {{"class", "soft"}});
}

// Rows are senders, columns are receivers.
void write_pairs(text::Markup& page, const PairTable& table, const Rig& rig) {
  const auto figure = page.element("figure");
  page.leaf("h3", fmt::format("{}: from each node to each other, {}", table.id,
                              text::shortened(table.limit, kLongestLimit)));
  const auto scroll = page.element("div", {{"class", "scroll"}});
  charts::write_heat_map(page, table, rig);
}

}  // namespace

void write_matrices(text::Markup& page, const figures::Figures& figures) {
  std::vector<Fitted> matrices;
  for (Matrix& matrix : figures.matrices()) matrices.push_back(fitted(std::move(matrix)));
  const bool broad =
      std::ranges::any_of(matrices, [](const Fitted& each) { return each.matrix.columns.size() > kUpright; });
  const auto section = page.section("Every figure", broad ? "figures broad" : "figures");
  page.leaf(
      "p",
      "A cell shows the worst of its figures, by the statistic of its limit; without a limit, the largest. "
      "One-way values of a path are listed at the sender. ✓ and green: within the limit; ! close to it, or "
      "advice; ✗ missed, or error; ? not proven; W waived; grey: no limit, informative.",
      {{"class", "soft"}});
  for (const Fitted& matrix : matrices) write_matrix(page, matrix);
}

void write_pair_tables(text::Markup& page, const figures::Figures& figures, const Rig* rig) {
  const std::vector<PairTable> tables = rig == nullptr ? std::vector<PairTable>() : figures.pairs();
  if (tables.empty()) return;
  const auto section = page.section("Between the nodes");
  for (const PairTable& table : tables) write_pairs(page, table, *rig);
}

}  // namespace rigproof::html
