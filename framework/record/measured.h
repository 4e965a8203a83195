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

// Where one of several measurements of an id stands: a point of a curve, or a series in time.
struct Axis {
  enum class Kind { kPoint, kSeries };
  Kind kind;
  std::string of;  // what x is: "data size", "queue pairs", "time"
  Quantity x;      // of a point: where it stands; of a series: the time from one sample to the next
  bool operator==(const Axis&) const = default;
};
// A point at this size (rate, time), or at so many of something: {8, "queue pairs"}.
[[nodiscard]] Axis at(Quantity x);
[[nodiscard]] Axis at(double number, std::string of);
// A series of samples, one every `interval`.
[[nodiscard]] Axis every(std::chrono::duration<double> interval);
// "at 64 KiB", "at 8 queue pairs", "every 100 ms".
[[nodiscard]] std::string to_text(const Axis& axis);

// What a suite measured or found, raw: no limit has been asked.
struct Measured {
  enum class Role {
    kMeasured,  // under load or by a probe; without a limit it is an error
    kFound,     // a fact of a node: judged where the thresholds have a limit for it
    kBeside,    // context of another measurement; never judged
  };
  // Why a fact has no value.
  enum class Unread {
    kNo,            // it has one
    kNotReadable,   // it could not be read: under a limit it proves nothing
    kNothingThere,  // there is nothing to read: a sound rig may lack it
  };
  std::string id;      // "tcp.rate.half"
  std::string node;    // the node that it was measured on
  std::string detail;  // which of several in one case ("enp1s0f0np0 tx"); may be empty
  std::optional<Axis> axis = {};
  SampleSet samples = {Dimension::kCount, {}};
  Role role = Role::kMeasured;
  std::string text = {};  // of a fact that is no number; of one that is unread: why
  Unread unread = Unread::kNo;
  RemedyValues about = {};  // for the placeholders of the limit's remedy
};
// The detail and the axis in words: "rail0 at 64 KiB". (id, node, this) is unique in a case.
[[nodiscard]] std::string detail_text(const std::string& detail, const std::optional<Axis>& axis);

// Something that went wrong in a case, on one rank.
struct Failure {
  enum class Kind { kFail, kError, kSkip };
  Kind kind;
  // Machine-readable: "assertion", "exception", "deadline", "lost-peer", "crash", "not-proven", ...
  std::string type;
  std::string message;     // for a person; names what, not where
  std::string node = {};   // empty when not one node's
  int rank = -1;           // -1 when not one rank's
  std::string phase = {};  // empty outside phases
  std::string where = {};  // "suites/tcp/stream_rate.cc:40", or empty
};

[[nodiscard]] std::string_view name(Failure::Kind kind);  // "fail", "error", "skip"

// How counters that mean the same have grown on one device since they were looked at before.
struct Watched {
  std::string id;       // "load.damaged": the limit that judges it
  std::string subject;  // "enp1s0f0np0"
  double grown = 0;
  double of = 0;           // what it is a share of; 0 where `counts`
  bool counts = true;      // else a ratio: grown / of
  std::string names = {};  // those that grew, for a person: "rx_crc_errors_phy 3"
  std::string lost = {};   // not empty: a counter was reset or is gone, so `grown` means nothing
  RemedyValues about = {};
  std::vector<std::string> halves = {};  // netdevs that stand on this one: bonds, VLANs
};

// Looks at all cards of this node: growth since the look before; of the first look nothing. Throws nothing.
using LookAtCards = std::function<std::vector<Watched>()>;

// What one case's looks saw, added up.
class WatchedSums {
 public:
  void add(const std::vector<Watched>& looks);
  [[nodiscard]] bool empty() const { return sums_.empty(); }
  // As findings of the node: judged where the thresholds have a limit. A ratio of nothing is left out.
  [[nodiscard]] std::vector<Measured> findings(const std::string& node) const;
  // "enp1s0f0np0: rx_crc_errors_phy 3", of what grew.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  std::map<std::pair<std::string, std::string>, Watched> sums_;  // by id and subject
};

}  // namespace rigproof::record
