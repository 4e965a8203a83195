#include "framework/ranks/mailbox.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <list>
#include <map>
#include <vector>

#include "framework/cbor/cbor.h"

namespace rigproof::inline ranks {
namespace {

constexpr std::int64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();
constexpr int kMostRanks = 1 << 20;
constexpr int kLongestMessage = 64 << 20;

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

namespace {

constexpr int kTag = 1;

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw MpiError(std::string(call) + ": " + text);
}

// A message in transfer. MPI uses the address of `bytes` until it is done: keep it in a std::list.
struct Transfer {
  std::string bytes;
  MPI_Request request = MPI_REQUEST_NULL;

  bool done() {
    int flag = 0;
    check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  }
};

}  // namespace

struct Mailbox::State {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  std::list<Transfer> outgoing;
  std::vector<std::list<Transfer>> incoming;  // per source
  std::vector<std::deque<Message>> delivered;
  std::map<int, PhaseId> aborts;  // the latest per source
  std::optional<Message> last_words;

  bool receive_next();
  void deliver(int source);
};

namespace {

// True if the places are 0, 1, 2 ..., each once.
bool are_ranks(std::vector<int> places) {
  std::ranges::sort(places);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] != static_cast<int>(i)) return false;
  return true;
}

// A launcher may order ranks in any way: if every rank knows its place, the places become the ranks.
MPI_Comm in_order(std::optional<int> place) {
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int mine = place.value_or(-1);
  std::vector<int> places(static_cast<std::size_t>(size));
  check(MPI_Allgather(&mine, 1, MPI_INT, places.data(), 1, MPI_INT, MPI_COMM_WORLD), "MPI_Allgather");
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_split(MPI_COMM_WORLD, 0, are_ranks(places) ? mine : rank, &comm), "MPI_Comm_split");
  return comm;
}

}  // namespace

Mailbox::Mailbox(std::optional<int> place) : state_(std::make_unique<State>()) {
  state_->comm = in_order(place);
  MPI_Comm_set_errhandler(state_->comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(state_->comm, &state_->rank);
  MPI_Comm_size(state_->comm, &state_->size);
  state_->incoming.resize(static_cast<std::size_t>(state_->size));
  state_->delivered.resize(static_cast<std::size_t>(state_->size));
}

// MPI uses the memory of unfinished sends: it must outlive this object.
Mailbox::~Mailbox() {
  if (!flushed()) new std::list<Transfer>(std::move(state_->outgoing));
}

int Mailbox::rank() const { return state_->rank; }
int Mailbox::size() const { return state_->size; }

void Mailbox::send(int to, const Message& message) {
  Transfer& transfer = state_->outgoing.emplace_back(Transfer{encode(message)});
  check(MPI_Isend(transfer.bytes.data(), static_cast<int>(transfer.bytes.size()), MPI_BYTE, to, kTag,
                  state_->comm, &transfer.request),
        "MPI_Isend");
}

bool Mailbox::State::receive_next() {
  int flag = 0, count = 0;
  MPI_Message handle;
  MPI_Status status;
  check(MPI_Improbe(MPI_ANY_SOURCE, kTag, comm, &flag, &handle, &status), "MPI_Improbe");
  if (flag == 0) return false;
  MPI_Get_count(&status, MPI_BYTE, &count);
  if (count < 0 || count > kLongestMessage)
    throw cbor::Malformed(
        fmt::format("rank {} sent a message of more than {} MiB", status.MPI_SOURCE, kLongestMessage >> 20));
  Transfer& transfer = incoming[static_cast<std::size_t>(status.MPI_SOURCE)].emplace_back();
  transfer.bytes.resize(static_cast<std::size_t>(count));
  check(MPI_Imrecv(transfer.bytes.data(), count, MPI_BYTE, &handle, &transfer.request), "MPI_Imrecv");
  return true;
}

void Mailbox::State::deliver(int source) {
  auto& arriving = incoming[static_cast<std::size_t>(source)];
  while (!arriving.empty() && arriving.front().done()) {
    Message message = decode_message(arriving.front().bytes);
    arriving.pop_front();
    if (message.kind == MessageKind::kAbort)
      aborts[source] = message.point;
    else if (message.kind == MessageKind::kFatal)
      last_words = std::move(message);
    else
      delivered[static_cast<std::size_t>(source)].push_back(std::move(message));
  }
}

void Mailbox::pump() {
  while (state_->receive_next()) {
  }
  for (int source = 0; source < state_->size; ++source) state_->deliver(source);
  state_->outgoing.remove_if([](Transfer& transfer) { return transfer.done(); });
}

std::deque<Message>& Mailbox::from(int rank) { return state_->delivered.at(static_cast<std::size_t>(rank)); }

std::optional<int> Mailbox::aborted(PhaseId point) const {
  for (const auto& [source, at] : state_->aborts)
    if (at == point) return source;
  return std::nullopt;
}

const std::optional<Message>& Mailbox::last_words() const { return state_->last_words; }

bool Mailbox::flushed() const { return state_->outgoing.empty(); }

void Mailbox::send_last(int to, const Message& message) noexcept {
  auto* bytes = new std::string(encode(message));  // never freed: the process ends
  MPI_Request request;
  MPI_Isend(bytes->data(), static_cast<int>(bytes->size()), MPI_BYTE, to, kTag, state_->comm, &request);
}

}  // namespace rigproof::inline ranks
