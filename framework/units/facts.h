#pragma once

#include <functional>
#include <map>
#include <string>

#include "framework/units/quantity.h"

namespace rigproof {

// Facts of the rig that a relative bound may name, for the subject of one case: "port.rate" -> 200 Gbit/s.
using Facts = std::map<std::string, Quantity, std::less<>>;

// The facts that exist, with their dimensions, for checking a thresholds file before there is a subject.
using FactDimensions = std::map<std::string, Dimension, std::less<>>;

}  // namespace rigproof
