#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "framework/units/quantity.h"

// A file of published figures (figures.toml tells the format), and what its words say to a limit.
namespace rigproof::published {

struct Figure {
  std::string what;
  std::string limit;  // by its name of today; "" when none judges it
  std::string published;
  std::optional<double> value;
  std::string unit;
};

// What the rig file of such a rig would say.
struct Setup {
  DataRate cable;  // of each port
  DataSize mtu;    // of the netdevs
  int cables;      // that a node has
};

struct PublishedRig {
  std::string id, sound, reason;
  bool is_switched = false, is_ring = false;
  std::vector<Setup> setups = {};  // more than one where the file leaves it open; never empty
  std::vector<Figure> figures = {};
};

inline void PrintTo(const PublishedRig& rig, std::ostream* out) { *out << rig.id; }

// Throws toml::parse_error.
[[nodiscard]] std::vector<PublishedRig> read_rigs(const std::filesystem::path& file);
[[nodiscard]] std::vector<PublishedRig> parse_rigs(std::string_view toml);

// Nothing without a value. In the file's unit, or one that people write for it ("usec"): of a limit of counts any unit
// that is no other is a count ("celsius", "lanes", ""), "MHz" is a share of a GB10's highest clock, "ratio" one of 1.
// Throws std::invalid_argument for a unit that is none of these.
[[nodiscard]] std::optional<Quantity> quantity_of(const Figure& figure, Dimension limit);

// How many different versions a text names: "6.17.0-1032 and 7.0.0-1019" has two.
[[nodiscard]] std::size_t versions_in(const std::string& text);

// "all_gather busbw, 16 GB", "16G" as nccl-tests is told it, 16 GiB, "-s 65536", or the bytes of a table, "33,554,432 B".
// A "200G" is a link. What is larger than a Spark's memory is no size.
[[nodiscard]] std::optional<DataSize> size_in(const std::string& what);

// What a card or switch has counted since it was started is not what it counts in a run.
[[nodiscard]] bool is_of_a_lifetime(const Figure& figure);
[[nodiscard]] bool is_rate(const std::string& limit);

}  // namespace rigproof::published
