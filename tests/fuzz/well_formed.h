#pragma once

#include <libxml/parser.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

namespace rigproof {

// What must hold for every input: ends the process, and with it the search, when it does not.
inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << "broken promise: " << what << '\n';
  std::abort();
}

struct FreeXml {
  void operator()(xmlDoc* document) const { xmlFreeDoc(document); }
};
using XmlDocument = std::unique_ptr<xmlDoc, FreeXml>;

inline XmlDocument well_formed(const std::string& text) {
  const int options = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
  XmlDocument document(xmlReadMemory(text.data(), static_cast<int>(text.size()), "report", nullptr, options));
  if (!document) std::cerr << text << '\n';
  require(document != nullptr, "a report is well-formed");
  return document;
}

}  // namespace rigproof
