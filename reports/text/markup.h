#pragma once

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rigproof::text {

// Foreign text made safe for XML, Markdown and terminals: valid UTF-8 without control characters (newline and
// tab stay), without characters that reorder text and without noncharacters. Each of those becomes U+FFFD.
[[nodiscard]] std::string clean(std::string_view text);

// The same on one line: newlines and tabs become spaces.
[[nodiscard]] std::string one_line(std::string_view text);

// At most `bytes` of clean text, cut between characters, with "..." where something was cut.
[[nodiscard]] std::string shortened(std::string text, std::size_t bytes);

// Rows of cells as aligned columns, two spaces between them, a newline behind each row. Columns in which
// every cell below the first row is empty are left out.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows);
// The same of any number of rows. Each is asked for twice, the first time for its widths: none is kept.
using RowOf = std::function<std::vector<std::string>(std::size_t)>;
void write_text_table(std::ostream& out, std::size_t rows, const RowOf& row_of);

// Foreign text as text of HTML and SVG: clean(), and nothing in it is markup.
[[nodiscard]] std::string escaped(std::string_view text);

// Writes HTML or SVG. Every element that is opened is closed, and whatever is put in comes out escaped; of a text
// (not of an attribute) at most some kilobytes.
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

  void leaf(std::string_view tag, std::string_view text, Attributes attributes = {});
  void empty(std::string_view tag, Attributes attributes = {});  // <br>, <line ... />
  void text(std::string_view text);
  void raw(std::string_view markup);  // our own, as it is

 private:
  void open(std::string_view tag, Attributes attributes, std::string_view end);
  void close(std::string_view tag);
  std::ostream& out_;
};

// Foreign text as Markdown that shows it literally, on one line, in a table's cell too.
[[nodiscard]] std::string markdown(std::string_view text);

}  // namespace rigproof::text
