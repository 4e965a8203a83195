#pragma once

#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace rigproof::text {

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
