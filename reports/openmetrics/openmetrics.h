#pragma once

#include <iosfwd>

#include "framework/judge/judged_run.h"

namespace rigproof::openmetrics {

// A run as OpenMetrics 1.0 text: the run and its verdict, how many cases came to what, every case's status, every
// measurement of the deciding attempts in base units, and its margin. Suite, case, id, node and detail are labels.
// Measurements and margins of a large run wait in temporary files, so that each family stands together.
void write_metrics(const judge::JudgedRun& run, std::ostream& out);

// The run's state and its headline figures for the textfile collector of Prometheus' node_exporter: gauges alone, since
// that collector refuses a file that has OpenMetrics' info and stateset types. Few series, the same ones in every run.
void write_prometheus(const judge::JudgedRun& run, std::ostream& out);

}  // namespace rigproof::openmetrics
