#pragma once

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rigproof::text {

// Foreign text made safe for XML, Markdown and terminals: valid UTF-8. Control characters (except newline and tab),
// characters that reorder text, and noncharacters become U+FFFD.
[[nodiscard]] std::string clean(std::string_view text);

// clean() on one line: newlines and tabs become spaces.
[[nodiscard]] std::string one_line(std::string_view text);

// At most `bytes` of clean text, cut between characters, with "..." at the cut.
[[nodiscard]] std::string shortened(std::string text, std::size_t bytes);

// Rows of cells as aligned columns, two spaces apart, with a newline after each row. Leaves out columns in which every cell
// below the first row is empty.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows);
// text_table() for any number of rows. Calls row_of twice per row, first for the widths, and keeps no row.
using RowOf = std::function<std::vector<std::string>(std::size_t)>;
void write_text_table(std::ostream& out, std::size_t rows, const RowOf& row_of);

// Foreign text for HTML and SVG: clean(), with all markup escaped.
[[nodiscard]] std::string escaped(std::string_view text);

// Writes HTML or SVG. Closes every opened element and escapes everything except raw(). Shortens texts (not attributes) to
// some kilobytes.
class Markup {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  explicit Markup(std::ostream& out) : out_(out) {}

  // An element that ends with the object.
  class Element {
   public:
    Element(Markup& markup, std::string_view tag) : markup_(markup), tag_(tag) {}
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;
    ~Element() { markup_.close(tag_); }

   private:
    Markup& markup_;
    std::string tag_;
  };
  [[nodiscard]] Element element(std::string_view tag, Attributes attributes = {});

  // A section with its title as <h2> and an id made from it, listed in outline().
  [[nodiscard]] Element section(std::string_view title, std::string_view css = {});
  struct Heading {
    std::string id, title;
  };
  [[nodiscard]] const std::vector<Heading>& outline() const { return outline_; }

  void leaf(std::string_view tag, std::string_view text, Attributes attributes = {});
  void empty(std::string_view tag, Attributes attributes = {});  // <br>, <line ... />
  void text(std::string_view text);
  void raw(std::string_view markup);  // this program's own markup, unchanged

 private:
  void open(std::string_view tag, Attributes attributes, std::string_view end);
  void close(std::string_view tag);
  std::ostream& out_;
  std::vector<Heading> outline_;
};

// Foreign text as Markdown that shows it literally, on one line; also valid in a table cell.
[[nodiscard]] std::string markdown(std::string_view text);

}  // namespace rigproof::text
