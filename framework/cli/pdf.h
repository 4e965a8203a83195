#pragma once

#include <filesystem>
#include <string>

namespace rigproof {

// Renders DIR/report.html as DIR/report.pdf by WeasyPrint and lists it in the manifest. Why there is none, for a
// person ("weasyprint is not installed ..."); empty when there is one.
[[nodiscard]] std::string make_pdf(const std::filesystem::path& directory);

}  // namespace rigproof
