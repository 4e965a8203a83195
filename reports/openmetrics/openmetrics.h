#pragma once

#include <iosfwd>

#include "framework/judge/judged_run.h"

namespace rigproof::openmetrics {

// Writes a run as OpenMetrics 1.0 text: the run and its verdict, numbers of cases by status, every case's status, every
// measurement of the deciding attempts in base units, and its margin. Suite, case, id, node and detail are labels. For a
// large run, measurements and margins go through temporary files, so that each family stays together.
void write_metrics(const judge::JudgedRun& run, std::ostream& out);

// Writes the run's state and headline figures for the textfile collector of Prometheus' node_exporter. Only gauges, because
// that collector refuses info and stateset types. Few series, the same in every run.
void write_prometheus(const judge::JudgedRun& run, std::ostream& out);

}  // namespace rigproof::openmetrics
