// Writes reports of several runs for a browser to look at:   report-pages FOLDER
#include <filesystem>
#include <fstream>

#include "reports/html/report_html.h"
#include "reports/manifest/manifest.h"
#include "tests/support/chart_run.h"
#include "tests/support/golden_run.h"
#include "tests/support/hostile.h"

int main(int argc, char** argv) {
  using namespace rigproof;
  if (argc != 2) return 2;
  const auto write = [&](const char* name, const judge::JudgedRun& run) {
    std::ofstream out(std::filesystem::path(argv[1]) / name);
    html::write_report_html(run, manifest::evidence_of({{"journal.jsonl", std::string(64, 'a')}}), out);
  };
  write("healthy.html", run_of({ending("A.B", {good()}), ending("A.C", {good(), recorded("tcp.rtt")})}));
  write("broken.html", golden_run().record());
  write("charts.html", chart_run().record());
  write("hostile.html", hostile_run());
  judge::JudgedRun stand_in = run_of({ending("A.B", {good()})});
  stand_in.start.stand_in = "a stand-in switch";
  write("stand_in.html", stand_in);
}
