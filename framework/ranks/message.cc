#include "framework/ranks/message.h"

#include <limits>

#include "framework/cbor/cbor.h"

namespace rigproof {
namespace {

constexpr std::int64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();
constexpr int kMostRanks = 1 << 20;

}  // namespace

void to_json(nlohmann::json& json, const Message& message) {
  json = {{"kind", message.kind},
          {"section", message.point.section},
          {"index", message.point.index},
          {"serial", message.serial},
          {"status", message.status},
          {"name", message.name},
          {"text", cbor::byte_string(message.text)}};
}

void from_json(const nlohmann::json& json, Message& message) {
  message.kind = cbor::enumerator(json.at("kind"), MessageKind::kFatal);
  message.point.section = static_cast<std::uint32_t>(cbor::integer(json.at("section"), 0, kMost32));
  message.point.index = static_cast<std::uint32_t>(cbor::integer(json.at("index"), 0, kMost32));
  message.serial = static_cast<std::uint64_t>(cbor::integer(json.at("serial"), 0, kMost64));
  message.status = cbor::enumerator(json.at("status"), PhaseStatus::kError);
  message.name = json.at("name").get<std::string>();
  message.text = cbor::bytes_of(json.at("text"));
}

void to_json(nlohmann::json& json, const JobEnd& end) {
  json = {{"type", end.type}, {"message", end.message}, {"phase", end.phase}, {"rank", end.rank}};
}

void from_json(const nlohmann::json& json, JobEnd& end) {
  end = {json.at("type").get<std::string>(), json.at("message").get<std::string>(),
         json.at("phase").get<std::string>(),
         static_cast<int>(cbor::integer(json.at("rank"), -1, kMostRanks))};
}

std::string encode(const Message& message) { return cbor::encode(message); }
Message decode_message(std::string_view bytes) { return cbor::decode<Message>(bytes); }

std::string encode(const JobEnd& end) { return cbor::encode(end); }
JobEnd decode_job_end(std::string_view bytes) { return cbor::decode<JobEnd>(bytes); }

std::string encode(const std::vector<PhaseStatus>& statuses) { return cbor::encode(statuses); }

std::vector<PhaseStatus> decode_statuses(std::string_view bytes) {
  std::vector<PhaseStatus> statuses;
  for (const auto& status : cbor::decode<std::vector<nlohmann::json>>(bytes))
    statuses.push_back(cbor::enumerator(status, PhaseStatus::kError));
  return statuses;
}

std::string encode(const std::vector<std::string>& texts) {
  auto json = nlohmann::json::array();
  for (const std::string& text : texts) json.push_back(cbor::byte_string(text));
  return cbor::encode_json(json);
}

std::vector<std::string> decode_texts(std::string_view bytes) {
  std::vector<std::string> texts;
  for (const auto& text : cbor::decode<std::vector<nlohmann::json>>(bytes))
    texts.push_back(cbor::bytes_of(text));
  return texts;
}

}  // namespace rigproof
