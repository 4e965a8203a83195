// What ranks send arrives as it was sent; a message that is torn or of other types is refused.
#include "framework/ranks/mailbox.h"

#include <gtest/gtest.h>

#include "framework/cbor/cbor.h"

namespace rigproof {
namespace {

const Message kMessage{.kind = MessageKind::kPhaseEnd,
                       .point = {7, 4'000'000'000},
                       .serial = 1,
                       .status = PhaseStatus::kFail,
                       .name = "measure",
                       .text = std::string("\0\xff", 2)};

TEST(Message, ArrivesAsItWasSent) {
  const Message arrived = decode_message(encode(kMessage));
  EXPECT_EQ(arrived.kind, kMessage.kind);
  EXPECT_EQ(arrived.point, kMessage.point);
  EXPECT_EQ(arrived.serial, kMessage.serial);
  EXPECT_EQ(arrived.status, kMessage.status);
  EXPECT_EQ(arrived.name, kMessage.name);
  EXPECT_EQ(arrived.text, kMessage.text);
}
TEST(Message, WithAMillionDoublesArrives) {
  Message large = kMessage;
  large.text = std::string(8'000'000, '\x80');
  EXPECT_EQ(decode_message(encode(large)).text, large.text);
}
TEST(Message, TornIsRefused) {
  const std::string bytes = encode(kMessage);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW((void)decode_message(bytes.substr(0, size)), cbor::Malformed);
}
TEST(Message, OfAnUnknownKindOrStatusIsRefused) {
  auto json = cbor::decode_json(encode(kMessage));
  for (const auto& [key, value] : {std::pair("kind", 99), std::pair("status", 4), std::pair("section", -1)}) {
    auto wrong = json;
    wrong[key] = value;
    EXPECT_THROW((void)decode_message(cbor::encode_json(wrong)), cbor::Malformed) << key;
  }
  json.erase("text");
  EXPECT_THROW((void)decode_message(cbor::encode_json(json)), cbor::Malformed);
}
TEST(JobEnd, ArrivesAsItWasSent) {
  const JobEnd end{"lost-peer", "rank 1 is gone", "measure", -1};
  const JobEnd arrived = decode_job_end(encode(end));
  EXPECT_EQ(arrived.type, end.type);
  EXPECT_EQ(arrived.message, end.message);
  EXPECT_EQ(arrived.phase, end.phase);
  EXPECT_EQ(arrived.rank, end.rank);
}
TEST(Statuses, ArriveAsTheyWereSent) {
  const std::vector<PhaseStatus> statuses{PhaseStatus::kOk, PhaseStatus::kSkip, PhaseStatus::kError};
  EXPECT_EQ(decode_statuses(encode(statuses)), statuses);
  EXPECT_THROW((void)decode_statuses(cbor::encode(std::vector<int>{4})), cbor::Malformed);
}
TEST(Texts, ArriveAsTheyWereSent) {
  const std::vector<std::string> texts{"", "a\nb", std::string("\0\xff", 2)};
  EXPECT_EQ(decode_texts(encode(texts)), texts);
  EXPECT_THROW((void)decode_texts("x"), cbor::Malformed);
}

}  // namespace
}  // namespace rigproof
