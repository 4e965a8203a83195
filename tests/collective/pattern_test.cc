// The data of every operation against a plain implementation of it, for two to five ranks.
#include "fixtures/collective/operation.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace rigproof::collective {
namespace {

using Buffer = std::vector<Element>;

Pattern pattern(Operation operation, std::size_t ranks, std::size_t rank, Element salt = 7) {
  return {whole({operation, DataSize::bytes(240)}, ranks), ranks, rank, salt};
}

Buffer sent(Operation operation, std::size_t ranks, std::size_t rank, Element salt = 7) {
  const Pattern own = pattern(operation, ranks, rank, salt);
  Buffer buffer(element_counts(own.spec, ranks).send);
  own.fill(buffer, 0);
  return buffer;
}

Buffer sum_of_all(Operation operation, std::size_t ranks) {
  Buffer sum = sent(operation, ranks, 0);
  for (std::size_t by = 1; by < ranks; ++by) {
    const Buffer other = sent(operation, ranks, by);
    std::ranges::transform(sum, other, sum.begin(), std::plus<>());
  }
  return sum;
}

// What `rank` must have received, by the definition of the operation.
Buffer received(Operation operation, std::size_t ranks, std::size_t rank) {
  const std::size_t share = sent(operation, ranks, rank).size() / ranks;
  Buffer all;
  switch (operation) {
    case Operation::kSendRecv:
      return sent(operation, ranks, (rank + ranks - 1) % ranks);
    case Operation::kBroadcast:
      return sent(operation, ranks, 0);
    case Operation::kAllGather:
      for (std::size_t by = 0; by < ranks; ++by) {
        const Buffer part = sent(operation, ranks, by);
        all.insert(all.end(), part.begin(), part.end());
      }
      return all;
    case Operation::kAllToAll:
      for (std::size_t by = 0; by < ranks; ++by) {
        const Buffer from = sent(operation, ranks, by);
        all.insert(all.end(), from.begin() + static_cast<std::ptrdiff_t>(rank * share),
                   from.begin() + static_cast<std::ptrdiff_t>((rank + 1) * share));
      }
      return all;
    case Operation::kReduceScatter: {
      const Buffer sum = sum_of_all(operation, ranks);
      return {sum.begin() + static_cast<std::ptrdiff_t>(rank * share),
              sum.begin() + static_cast<std::ptrdiff_t>((rank + 1) * share)};
    }
    default:
      return sum_of_all(operation, ranks);
  }
}

class PatternOf : public testing::TestWithParam<Operation> {};

TEST_P(PatternOf, AcceptsWhatTheOperationGives) {
  for (std::size_t ranks = 2; ranks <= 5; ++ranks) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const Buffer buffer = received(GetParam(), ranks, rank);
      EXPECT_EQ(buffer.size(), element_counts(pattern(GetParam(), ranks, rank).spec, ranks).receive);
      EXPECT_EQ(pattern(GetParam(), ranks, rank).fault(buffer, 0), std::nullopt) << ranks << " " << rank;
    }
  }
}
TEST_P(PatternOf, FindsEveryCorruptedElement) {
  const Pattern own = pattern(GetParam(), 3, 0);
  const Buffer good = received(GetParam(), 3, 0);
  for (std::size_t i = 0; i < good.size(); ++i) {
    Buffer bad = good;
    bad[i] ^= 1u << (i % 32);
    ASSERT_THAT(own.fault(bad, 0),
                testing::Optional(testing::StartsWith("element " + std::to_string(i) + " is")));
  }
}
TEST_P(PatternOf, RefusesDataOfAnotherRun) {
  const Pattern later = pattern(GetParam(), 3, 1, 8);
  EXPECT_NE(later.fault(received(GetParam(), 3, 1), 0), std::nullopt);
}
TEST_P(PatternOf, RefusesABufferThatWasNeverWritten) {
  const Pattern own = pattern(GetParam(), 2, 0);
  EXPECT_NE(own.fault(Buffer(element_counts(own.spec, 2).receive), 0), std::nullopt);
}
TEST_P(PatternOf, ChecksAPartOnItsOwn) {
  const Buffer buffer = received(GetParam(), 4, 3);
  const Pattern own = pattern(GetParam(), 4, 3);
  const std::span<const Element> all(buffer);
  EXPECT_EQ(own.fault(all.subspan(5), 5), std::nullopt);
  EXPECT_NE(own.fault(all.subspan(5), 4), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Every, PatternOf, testing::ValuesIn(every_operation()),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(Pattern, OfReduceIsReceivedByTheRootAlone) {
  EXPECT_TRUE(pattern(Operation::kReduce, 3, 0).receives());
  EXPECT_FALSE(pattern(Operation::kReduce, 3, 1).receives());
  EXPECT_TRUE(pattern(Operation::kBroadcast, 3, 1).receives());
}

// Catches: a place that is never looked at, one outside of the buffer.
TEST(Pieces, CoverTheWholeBufferInTheEnd) {
  const std::size_t elements = 5 * Pieces::kElements / 2;
  std::vector<int> looks(elements);
  for (const auto& [first, size] : Pieces{4711, 100}.of(elements)) {
    ASSERT_LE(first + size, elements);
    for (std::size_t i = 0; i < size; ++i) ++looks[first + i];
  }
  EXPECT_GT(*std::ranges::min_element(looks), 0);
  EXPECT_TRUE((Pieces{1, 3}.of(0).empty()));
}

TEST(Pieces, AreTheSameWheneverTheyAreAskedFor) {
  const auto firsts = [](Element seed) {
    std::vector<std::size_t> firsts;
    for (const auto& piece : Pieces{seed, 20}.of(1 << 20)) firsts.push_back(piece.first);
    return firsts;
  };
  EXPECT_EQ(firsts(1), firsts(1));
  EXPECT_NE(firsts(1), firsts(2));
}

// Catches: an operation that moved nothing, whose place still holds what the one before brought.
TEST(Pattern, SpoiledDataIsWrongInEveryElement) {
  const Pattern own = pattern(Operation::kAllReduce, 2, 1);
  Buffer part(8);
  own.spoil(part, 3);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_TRUE(own.fault({&part[i], 1}, 3 + i).has_value()) << i;
}

}  // namespace
}  // namespace rigproof::collective
