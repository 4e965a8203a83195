#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "framework/units/quantity.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view text) {
  try {
    (void)parse_quantity(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

struct Accepted {
  const char* text;
  Quantity quantity;
};
void PrintTo(const Accepted& accepted, std::ostream* out) { *out << accepted.text; }

class EveryUnit : public testing::TestWithParam<Accepted> {};

TEST_P(EveryUnit, IsReadIntoBaseUnits) { EXPECT_EQ(parse_quantity(GetParam().text), GetParam().quantity); }

INSTANTIATE_TEST_SUITE_P(
    Units, EveryUnit,
    testing::Values(
        Accepted{"1 bit/s", {Dimension::kDataRate, 1}}, Accepted{"1 kbit/s", {Dimension::kDataRate, 1e3}},
        Accepted{"1 Mbit/s", {Dimension::kDataRate, 1e6}},
        Accepted{"170 Gbit/s", {Dimension::kDataRate, 1.7e11}},
        Accepted{"1.5 Tbit/s", {Dimension::kDataRate, 1.5e12}}, Accepted{"1 B/s", {Dimension::kDataRate, 8}},
        Accepted{"1 kB/s", {Dimension::kDataRate, 8e3}}, Accepted{"1 MB/s", {Dimension::kDataRate, 8e6}},
        Accepted{"1 GB/s", {Dimension::kDataRate, 8e9}}, Accepted{"1 KiB/s", {Dimension::kDataRate, 8192}},
        Accepted{"1 MiB/s", {Dimension::kDataRate, 8388608}},
        Accepted{"1 GiB/s", {Dimension::kDataRate, 8589934592}},
        Accepted{"9000 B", {Dimension::kDataSize, 9000}}, Accepted{"1 kB", {Dimension::kDataSize, 1e3}},
        Accepted{"1 MB", {Dimension::kDataSize, 1e6}}, Accepted{"1 GB", {Dimension::kDataSize, 1e9}},
        Accepted{"1.5 KiB", {Dimension::kDataSize, 1536}}, Accepted{"1 MiB", {Dimension::kDataSize, 1048576}},
        Accepted{"1 GiB", {Dimension::kDataSize, 1073741824}},
        Accepted{"1 TiB", {Dimension::kDataSize, 1099511627776}}, Accepted{"5 ns", {Dimension::kTime, 5e-9}},
        Accepted{"5 us", {Dimension::kTime, 5e-6}}, Accepted{"5 ms", {Dimension::kTime, 5e-3}},
        Accepted{"5 s", {Dimension::kTime, 5}}, Accepted{"5 min", {Dimension::kTime, 300}},
        Accepted{"3 count", {Dimension::kCount, 3}}, Accepted{"5 %", {Dimension::kRatio, 0.05}},
        Accepted{"5%", {Dimension::kRatio, 0.05}}, Accepted{"170Gbit/s", {Dimension::kDataRate, 1.7e11}},
        Accepted{"170   Gbit/s", {Dimension::kDataRate, 1.7e11}},
        Accepted{"1e3 B", {Dimension::kDataSize, 1000}}, Accepted{"0 count", {Dimension::kCount, 0}}));

TEST(ParseQuantity, AsksForAMissingUnit) {
  EXPECT_EQ(refusal("170"), "no unit in '170' (write e.g. \"170 Gbit/s\")");
  EXPECT_THAT(refusal("170   "), HasSubstr("no unit in"));
}

TEST(ParseQuantity, SuggestsTheUnitThatWasMeant) {
  EXPECT_EQ(refusal("170 Gbps"), "unknown unit 'Gbps' in '170 Gbps'; did you mean 'Gbit/s'?");
  EXPECT_THAT(refusal("1 Gb/s"), HasSubstr("did you mean 'Gbit/s'?"));
  EXPECT_THAT(refusal("1 gbit/s"), HasSubstr("did you mean 'Gbit/s'?"));
  EXPECT_THAT(refusal("1 Gbits/sec"), HasSubstr("did you mean 'Gbit/s'?"));
  EXPECT_THAT(refusal("1 Gb/sec"), HasSubstr("did you mean 'Gbit/s'?"));  // perftest's heading
  EXPECT_THAT(refusal("1 GBytes/sec"), HasSubstr("did you mean 'GB/s'?"));
  EXPECT_THAT(refusal("1 Gbit"), HasSubstr("did you mean 'Gbit/s'?"));
  EXPECT_THAT(refusal("1 Kbit/s"), HasSubstr("did you mean 'kbit/s'?"));
  EXPECT_THAT(refusal("1 GBps"), HasSubstr("did you mean 'GB/s'?"));
  EXPECT_THAT(refusal("1 MiBs"), HasSubstr("did you mean 'MiB/s'?"));
  EXPECT_THAT(refusal("1 KB"), HasSubstr("did you mean 'kB'?"));
  EXPECT_THAT(refusal("1 bytes"), HasSubstr("did you mean 'B'?"));
  EXPECT_THAT(refusal("1 \xC2\xB5s"), HasSubstr("did you mean 'us'?"));
  EXPECT_THAT(refusal("1 seconds"), HasSubstr("did you mean 's'?"));
  EXPECT_THAT(refusal("1 percent"), HasSubstr("did you mean '%'?"));
}

TEST(ParseQuantity, ListsTheUnitsWhenNothingIsNear) {
  EXPECT_THAT(refusal("1 furlong"), testing::AllOf(HasSubstr("unknown unit 'furlong'"), HasSubstr("Gbit/s")));
}

TEST(ParseQuantity, RefusesWhatIsNoPlainNumber) {
  EXPECT_THAT(refusal("Gbit/s"), HasSubstr("does not start with a plain decimal number"));
  EXPECT_THAT(refusal("0x10 B"), HasSubstr("does not start with a plain decimal number"));
  EXPECT_THAT(refusal("1,5 B"), HasSubstr("does not start with a plain decimal number"));
  EXPECT_THAT(refusal("1 000 B"), HasSubstr("does not start with a plain decimal number"));
  EXPECT_THAT(refusal("1.2.3 B"), HasSubstr("does not start with a plain decimal number"));
  EXPECT_THAT(refusal("+5 B"), HasSubstr("does not start with a plain decimal number"));
  EXPECT_THAT(refusal(" 5 B"), HasSubstr("does not start with a plain decimal number"));
  EXPECT_THAT(refusal(". B"), HasSubstr("does not start with a plain decimal number"));
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
}

TEST(ParseQuantity, RefusesNumbersThatNoRigHas) {
  EXPECT_THAT(refusal("nan Gbit/s"), HasSubstr("not a finite number"));
  EXPECT_THAT(refusal("inf Gbit/s"), HasSubstr("not a finite number"));
  EXPECT_THAT(refusal("-5 B"), HasSubstr("negative"));
  EXPECT_THAT(refusal("1e400 B"), HasSubstr("out of range"));
  EXPECT_THAT(refusal("1e308 Tbit/s"), HasSubstr("out of range"));
  EXPECT_THAT(refusal("1e30 TiB"), HasSubstr("out of range"));
}

TEST(ParseQuantity, RefusesTrailingBytesAndShowsThemEscaped) {
  EXPECT_THAT(refusal(std::string_view("170 Gbit/s\0", 11)), HasSubstr("unknown unit 'Gbit/s\\x00'"));
  EXPECT_THAT(refusal("1 Gbit/s\x1B[31m"), HasSubstr("\\x1B"));
  EXPECT_THAT(refusal("1 Gbit/s "), HasSubstr("unknown unit"));
  EXPECT_LT(refusal("1 " + std::string(100000, 'x')).size(), 500U);
}

TEST(ParseQuantity, UnitOfIsTheUnitAsWritten) {
  EXPECT_EQ(unit_of("170 Gbit/s"), "Gbit/s");
  EXPECT_EQ(unit_of("5%"), "%");
  EXPECT_THROW((void)unit_of("170"), std::invalid_argument);
}

}  // namespace
}  // namespace rigproof
