#include "reports/text/table.h"

#include <algorithm>

namespace rigproof {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::size_t width_of(const std::string& cell) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cell, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

// 0 for a column to leave out.
std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> widths;
  std::vector<bool> used;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    used.resize(widths.size());
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], width_of(row[column]));
      used[column] = used[column] || (&row != &rows.front() && !row[column].empty());
    }
  }
  for (std::size_t column = 0; column < widths.size(); ++column)
    if (!used[column] && rows.size() > 1) widths[column] = 0;
  return widths;
}

}  // namespace

std::string text_table(const Rows& rows) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string out;
  for (const auto& row : rows) {
    const std::size_t begin = out.size();
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (widths[column] == 0) continue;
      out += row[column];
      out.append(widths[column] - width_of(row[column]) + 2, ' ');
    }
    while (out.size() > begin && out.back() == ' ') out.pop_back();
    out += '\n';
  }
  return out;
}

}  // namespace rigproof
