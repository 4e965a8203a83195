// Whatever texts a record holds, junit.xml is well-formed, and junit-strict.xml valid by Jenkins' schema.
#include <libxml/xmlschemas.h>

#include <cstdint>
#include <sstream>

#include "reports/junit/junit.h"
#include "tests/fuzz/hostile_record.h"
#include "tests/fuzz/well_formed.h"

namespace rigproof {
namespace {

xmlSchema* junit_schema() {
  xmlSchemaParserCtxt* parser = xmlSchemaNewParserCtxt(RIGPROOF_SOURCE_DIR "/tests/junit/junit-10.xsd");
  xmlSchema* schema = xmlSchemaParse(parser);
  xmlSchemaFreeParserCtxt(parser);
  require(schema != nullptr, "the schema of JUnit files is there");
  return schema;
}

void require_valid(const std::string& text) {
  static xmlSchema* const schema = junit_schema();
  const XmlDocument document = well_formed(text);
  xmlSchemaValidCtxt* check = xmlSchemaNewValidCtxt(schema);
  const int fault = xmlSchemaValidateDoc(check, document.get());
  xmlSchemaFreeValidCtxt(check);
  require(fault == 0, "junit-strict.xml is valid by its schema");
}

std::string junit_text(const judge::JudgedRun& run, junit::JunitProfile profile) {
  std::ostringstream out;
  write_junit(run, out, profile);
  return out.str();
}

}  // namespace
}  // namespace rigproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rigproof;
  const judge::JudgedRun run = hostile_record(data, size);
  well_formed(junit_text(run, junit::JunitProfile::kDefault));
  require_valid(junit_text(run, junit::JunitProfile::kStrict));
  return 0;
}
