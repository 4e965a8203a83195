#include "framework/units/quantity.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "framework/units/printable.h"

namespace rigproof {
namespace {

using namespace std::chrono_literals;

Quantity gigabits(double value) { return to_quantity(DataRate::gigabits_per_second(value)); }
Quantity bytes(std::uint64_t value) { return to_quantity(DataSize::bytes(value)); }

TEST(Types, BitsAndBytesMeetOnlyThroughNamedConversions) {
  EXPECT_EQ(DataRate::bytes_per_second(1), DataRate::bits_per_second(8));
  EXPECT_EQ(DataSize::bytes(125'000'000) / 1s, DataRate::gigabits_per_second(1));
  EXPECT_EQ(DataSize::kibibytes(1024), DataSize::mebibytes(1));
}

TEST(Types, KnowTheirDimension) {
  static_assert(dimension_of<DataRate>() == Dimension::kDataRate);
  static_assert(dimension_of<DataSize>() == Dimension::kDataSize);
  static_assert(dimension_of<std::chrono::nanoseconds>() == Dimension::kTime);
  EXPECT_EQ(to_quantity(5ms), (Quantity{Dimension::kTime, 0.005}));
}

TEST(ToText, RatesPrintWithFourDigitsInTheLargestFittingUnit) {
  EXPECT_EQ(to_text(gigabits(162.4)), "162.4 Gbit/s");
  EXPECT_EQ(to_text(gigabits(0.95)), "950 Mbit/s");
  EXPECT_EQ(to_text(gigabits(96)), "96 Gbit/s");
  EXPECT_EQ(to_text(gigabits(1.23456)), "1.235 Gbit/s");
  EXPECT_EQ(to_text(gigabits(0)), "0 bit/s");
}

TEST(ToText, UsesTheUnitThatIsAskedFor) {
  EXPECT_EQ(to_text(gigabits(0.95), "Gbit/s"), "0.95 Gbit/s");
  EXPECT_EQ(to_text(gigabits(8), "GB/s"), "1 GB/s");
  EXPECT_EQ(to_text(gigabits(0), "Gbit/s"), "0 Gbit/s");
  EXPECT_EQ(to_text(gigabits(0.001), "Gbit/s"), "0.001 Gbit/s");
  EXPECT_EQ(to_text(gigabits(1.2e-7), "Gbit/s"), "120 bit/s") << "below a thousandth of the unit";
  EXPECT_THROW((void)to_text(gigabits(1), "B"), std::invalid_argument);
  EXPECT_THROW((void)to_text(gigabits(1), "Gbps"), std::invalid_argument);
}

TEST(ToText, SizesStayInBytesUpToAMebibyte) {
  EXPECT_EQ(to_text(bytes(9000)), "9000 B");
  EXPECT_EQ(to_text(bytes(65536)), "65536 B");
  EXPECT_EQ(to_text(bytes(3 << 19)), "1.5 MiB");
  EXPECT_EQ(to_text(bytes(1500), "kB"), "1.5 kB");
}

TEST(ToText, TimesCountsAndRatiosReadNaturally) {
  EXPECT_EQ(to_text(to_quantity(12'345ns)), "12.35 us");
  EXPECT_EQ(to_text(to_quantity(90s)), "90 s");
  EXPECT_EQ(to_text(to_quantity(0s)), "0 s");
  EXPECT_EQ(to_text(count(123456)), "123456");
  EXPECT_EQ(to_text(count(2.5), "count"), "2.5");
  EXPECT_EQ(to_text(ratio(0.05)), "5 %");
  EXPECT_EQ(to_text(ratio(0.00123)), "0.123 %");
}

TEST(ToText, NeverFailsOnOddNumbers) {
  EXPECT_EQ(to_text(gigabits(std::numeric_limits<double>::quiet_NaN()), "Gbit/s"), "nan Gbit/s");
  EXPECT_EQ(to_text(gigabits(std::numeric_limits<double>::infinity())), "inf Tbit/s");
  EXPECT_EQ(to_text(gigabits(-2)), "-2 Gbit/s");
  EXPECT_EQ(to_text(count(1e300)), "1e+300");
  EXPECT_EQ(to_text(to_quantity(std::chrono::duration<double>(1e-30))), "1e-21 ns");
}

TEST(ToText, IsReadBackByParseQuantity) {
  for (const Unit& unit : every_unit()) {
    if (unit.dimension == Dimension::kCount) continue;
    const Quantity quantity{unit.dimension, 3 * unit.scale};
    EXPECT_DOUBLE_EQ(parse_quantity(to_text(quantity, unit.name)).value, quantity.value) << unit.name;
  }
}

TEST(Dimensions, HaveANameAndABaseUnit) {
  EXPECT_EQ(name(Dimension::kDataRate), "data rate");
  EXPECT_EQ(base_unit(Dimension::kRatio), "ratio");
}

TEST(InQuotes, EscapesControlCharactersAndBrokenUtf8ButKeepsText) {
  EXPECT_EQ(in_quotes("a\tb\x1B"), "'a\\x09b\\x1B'");
  EXPECT_EQ(in_quotes("gr\xC3\xB6\xC3\x9F"), "'gr\xC3\xB6\xC3\x9F'");
  EXPECT_EQ(in_quotes("\xC3"), "'\\xC3'");
  EXPECT_EQ(in_quotes("\xC2\x9B"), "'\\xC2\\x9B'");
  EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
}

}  // namespace
}  // namespace rigproof
