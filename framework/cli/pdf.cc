#include "framework/cli/pdf.h"

#include <fmt/format.h>

#include <chrono>
#include <system_error>

#include "framework/cli/report_files.h"
#include "framework/process/capture.h"
#include "framework/process/process.h"
#include "reports/text/clean.h"

namespace rigproof {
namespace {

constexpr std::uintmax_t kLargest = 3
                                    << 20;  // WeasyPrint takes about a minute and a gigabyte for so much HTML
constexpr std::chrono::minutes kDeadline{5};

}  // namespace

std::string make_pdf(const std::filesystem::path& directory) try {
  const auto pdf = directory / "report.pdf", draft = directory / ".report.pdf.tmp",
             html = directory / "report.html";
  std::error_code error;
  if (std::filesystem::exists(pdf)) return "";  // of this very report: another one's is removed with it
  if (!find_program("weasyprint")) return "weasyprint is not installed (apt-get install weasyprint)";
  if (const auto size = std::filesystem::file_size(html, error); error || size > kLargest)
    return fmt::format("report.html is too large for weasyprint ({} MiB)", size >> 20);
  const Captured done = capture({"weasyprint", "--quiet", html.string(), draft.string()}, kDeadline);
  if (done.succeeded()) std::filesystem::rename(draft, pdf, error);
  if (done.succeeded() && !error) return list_companions(directory), "";
  std::filesystem::remove(draft, error);
  return fmt::format("weasyprint {}: {}", done.how_it_ended(), shortened(one_line(done.output), 300));
} catch (const std::exception& error) {  // the run's own verdict stands
  return error.what();
}

}  // namespace rigproof
