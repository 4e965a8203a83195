#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/stats/samples.h"

namespace rigproof::record {

// The position of one of several measurements of an id: a point of a curve, or a series in time.
struct Axis {
  enum class Kind { kPoint, kSeries };
  Kind kind;
  std::string of;  // meaning of x: "data size", "queue pairs", "time"
  Quantity x;      // point: its position; series: time between samples
  bool operator==(const Axis&) const = default;
};
// A point at this size (rate, time), or at this number of something: {8, "queue pairs"}.
[[nodiscard]] Axis at(Quantity x);
[[nodiscard]] Axis at(double number, std::string of);
// A series of samples, one every `interval`.
[[nodiscard]] Axis every(std::chrono::duration<double> interval);
// "at 64 KiB", "at 8 queue pairs", "every 100 ms".
[[nodiscard]] std::string to_text(const Axis& axis);

// A suite's raw measurement or finding, without any limit.
struct Measured {
  enum class Role {
    kMeasured,  // under load or by a probe; without a limit it is an error
    kFound,     // a fact of a node: judged if the thresholds have a limit for it
    kBeside,    // context of another measurement; never judged
  };
  // Reason why a fact has no value.
  enum class Unread {
    kNo,            // it has a value
    kNotReadable,   // could not be read: with a limit, it is not proven
    kNothingThere,  // does not exist here: a sound rig may lack it
  };
  std::string id;      // "tcp.rate.half"
  std::string node;    // the measured node
  std::string detail;  // distinguishes several in a case ("enp1s0f0np0 tx"); may be empty
  std::optional<Axis> axis = {};
  SampleSet samples = {Dimension::kCount, {}};
  Role role = Role::kMeasured;
  std::string text = {};  // value of a fact that is a text; of an unread fact the reason
  Unread unread = Unread::kNo;
  RemedyValues about = {};  // values for the placeholders of the limit's remedy
};
// The detail and the axis in words: "rail0 at 64 KiB". (id, node, this) is unique in a case.
[[nodiscard]] std::string detail_text(const std::string& detail, const std::optional<Axis>& axis);

// A failure in a case, on one rank.
struct Failure {
  enum class Kind { kFail, kError, kSkip };
  Kind kind;
  // Machine-readable: "assertion", "exception", "deadline", "lost-peer", "crash", "not-proven", ...
  std::string type;
  std::string message;     // for people; without the place
  std::string node = {};   // empty if not of one node
  int rank = -1;           // -1 if not of one rank
  std::string phase = {};  // empty outside phases
  std::string where = {};  // "suites/tcp/stream_rate.cc:40", or empty
};

[[nodiscard]] std::string_view name(Failure::Kind kind);  // "fail", "error", "skip"

// Growth of counters with one meaning on one device, since the last reading.
struct Watched {
  std::string id;       // "load.damaged": the limit that judges it
  std::string subject;  // "enp1s0f0np0"
  double grown = 0;
  double of = 0;            // denominator of a ratio; 0 if `counts`
  bool counts = true;       // false: a ratio, grown / of
  std::string names = {};   // counters that grew, for people: "rx_crc_errors_phy 3"
  std::string lost = {};    // not empty: a counter was reset or is gone; `grown` is then invalid
  std::string absent = {};  // not empty: why this hardware has nothing to count, as sound hardware may
  RemedyValues about = {};
  std::vector<std::string> halves = {};  // netdevs on top of this one: bonds, VLANs
};

// Reads all NICs of this node: growth since the last call; empty on the first call. Throws nothing.
using LookAtCards = std::function<std::vector<Watched>()>;

// The sums of one case's readings.
class WatchedSums {
 public:
  void add(const std::vector<Watched>& looks);
  [[nodiscard]] bool empty() const { return sums_.empty(); }
  // Findings of the node: judged if the thresholds have a limit. Leaves out ratios of nothing.
  [[nodiscard]] std::vector<Measured> findings(const std::string& node) const;
  // "enp1s0f0np0: rx_crc_errors_phy 3", for counters that grew.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  std::map<std::pair<std::string, std::string>, Watched> sums_;  // by id and subject
};

}  // namespace rigproof::record
