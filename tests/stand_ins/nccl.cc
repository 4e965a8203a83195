// A stand-in for libnccl: ranks that move real bytes along NCCL's ring, over the rails by TCP and on a host by its sockets,
// with the lines that NCCL logs. It does what fixtures/nccl asks of the real one, and says what it is (rigproof_nccl_stand_in); README.md
// says in what they differ.
#include <nccl.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tests/stand_ins/faults.h"
#include "tests/stand_ins/nccl_log.h"
#include "tests/stand_ins/rails.h"
#include "tests/stand_ins/streams.h"

extern "C" const char rigproof_nccl_stand_in[] = "libnccl of Rigproof's tests";

using namespace stand_in;

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kElement = sizeof(std::uint32_t);

// What an ncclUniqueId holds: the root's address.
static_assert(sizeof(Door) <= NCCL_UNIQUE_ID_BYTES);

constexpr std::size_t kSlowSize = 1 << 20;
constexpr int kSlots = 500;  // of an NCCL that loses one per operation

std::mutex root_mutex;
Socket root;  // of the last id that this process gave out, until its first communicator

int version_code() { return fault("version") ? 22703 : NCCL_VERSION_CODE; }
std::string version_text() {
  const int code = version_code();
  return std::to_string(code / 10000) + "." + std::to_string(code % 10000 / 100) + "." +
         std::to_string(code % 100);
}

}  // namespace

using Out = std::span<const std::byte>;
using In = std::span<std::byte>;

struct ncclComm {
  int rank = 0, device = 0;
  std::optional<Mesh> mesh;
  std::atomic<ncclResult_t> state = ncclInProgress;
  std::atomic<bool> stop = false;
  std::string error;
  std::thread connecting;
  bool blocking = false;
  std::thread launching;  // the last operation, of a non-blocking communicator
  int enqueued = 0, operations = 0;
  std::size_t step = 0;              // of the operation
  std::vector<Bytes> last_received;  // by step

  void fail(ncclResult_t result, const std::string& why) {
    error = why;
    state = result;
  }
  void connect(const Door& root, int ranks);
  void tell_connected(int peer, bool sends, const std::vector<Mesh::Overridden>& overridden) const;
  void announce(const char* function, std::size_t bytes) const {
    if (rank == 0) log_choice(function, bytes, channels());
  }
  // An operation on the stream's thread: its transfers, unless an earlier one failed.
  void perform(const std::function<void()>& transfers);
  void misbehave();
  void damage(In received);

  [[nodiscard]] int size() const { return mesh->size(); }
  [[nodiscard]] int at(int steps) const { return ((rank + steps) % size() + size()) % size(); }
  [[nodiscard]] std::size_t own() const { return static_cast<std::size_t>(rank); }
  void exchange(int to, Out out, int from, In in);
  void exchange_and_add(int to, Out out, int from, In in);
};

void ncclComm::connect(const Door& root, int ranks) {
  try {
    log_start(this, rank, ranks, device, named_netdevs(), version_text());
    const RankInfo own{.rank = rank, .version = version_code(), .device = device};
    mesh.emplace(root, own, ranks, stop,
                 [this](int peer, bool sends, const auto& others) { tell_connected(peer, sends, others); });
    for (int peer = 0; peer < ranks; ++peer)
      if (mesh->rank(peer).version != own.version)
        return fail(ncclInvalidUsage, "Mismatched NCCL versions detected on the ranks");
    state = ncclSuccess;
  } catch (const std::exception& caught) {
    fail(ncclSystemError, caught.what());
  }
}

void ncclComm::tell_connected(int peer, bool sends, const std::vector<Mesh::Overridden>& overridden) const {
  const LoggedRank here{rank, device}, there{peer, mesh->rank(peer).device};
  if (mesh->is_local(peer)) {
    if (sends) log_local_channels(here, there, channels());
    return;
  }
  log_channels(here, there, sends, named_netdevs());
  for (const auto& [device_before, instead] : overridden) log_overridden(device_before, instead);
}

void ncclComm::misbehave() {
  ++operations;
  if (operations == 3 && (fault("die") || fault("die_gpu_" + std::to_string(device)))) raise(SIGKILL);
  while (operations == 3 && fault("hang") && !stop)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void ncclComm::damage(In received) {
  constexpr std::size_t kEvery = 16 << 10;
  last_received.resize(std::max(last_received.size(), step + 1));
  Bytes now(received.begin(), received.end());
  const bool repeated = now == last_received[step];
  last_received[step++] = std::move(now);
  const bool small_buffer = variable("NCCL_BUFFSIZE") == "1048576" && fault("corrupt_small_buffer");
  if (!received.empty() && (small_buffer || fault("corrupt"))) received.back() ^= std::byte{0x10};
  if (repeated && !received.empty() && fault("corrupt_repeated"))
    for (std::size_t at = 0; at < received.size(); at += kEvery) received[at] ^= std::byte{0x10};
}

void ncclComm::perform(const std::function<void()>& transfers) {
  // Looked at once: between two looks it may go from one of these to the other.
  const ncclResult_t now = state;
  if (now != ncclSuccess && now != ncclInProgress) return;
  try {
    misbehave();
    step = 0;
    transfers();
  } catch (const NoAnswer& caught) {
    fail(ncclSystemError, caught.what());
  } catch (const std::exception& caught) {
    fail(ncclRemoteError, caught.what());
  }
}

void ncclComm::exchange(int to, Out out, int from, In in) {
  mesh->exchange(to, out, from, in);
  if (!in.empty()) damage(in);
}

void ncclComm::exchange_and_add(int to, Out out, int from, In in) {
  Bytes received(in.size());
  exchange(to, out, from, received);
  auto* const sum = reinterpret_cast<std::uint32_t*>(in.data());
  const auto* const other = reinterpret_cast<const std::uint32_t*>(received.data());
  for (std::size_t i = 0; i < received.size() / kElement; ++i) sum[i] += other[i];
}

namespace {

// The sends and receives between ncclGroupStart() and ncclGroupEnd(), by peer.
struct Group {
  int depth = 0;
  ncclComm* comm = nullptr;
  cudaStream_t stream = nullptr;
  std::map<int, Out> out;
  std::map<int, In> in;
};
thread_local Group group;

// As NCCL does (src/group.cc): at once where the communicator blocks, else by a thread made for this operation; until it
// has done so nothing more is taken.
ncclResult_t enqueue(ncclComm* comm, cudaStream_t stream, const std::function<void()>& work) {
  if (comm->state == ncclInProgress) return ncclInvalidArgument;
  if (comm->state != ncclSuccess) return comm->state;
  ++comm->enqueued;
  while (comm->enqueued > kSlots && fault("lost_slots") && !comm->stop)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (comm->blocking) {
    rigproof_stand_in_enqueue(stream, work);
    return ncclSuccess;
  }
  if (comm->launching.joinable()) comm->launching.join();
  comm->state = ncclInProgress;
  comm->launching = std::thread([=] {
    if (fault("late_thread")) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    rigproof_stand_in_enqueue(stream, work);
    ncclResult_t running = ncclInProgress;
    comm->state.compare_exchange_strong(running, ncclSuccess);
  });
  return ncclInProgress;
}

// The `index`th of `of` parts of whole elements.
template <class Byte>
std::span<Byte> part(std::span<Byte> all, std::size_t index, std::size_t of) {
  const std::size_t elements = all.size() / kElement;
  const std::size_t begin = elements * index / of, end = elements * (index + 1) / of;
  return all.subspan(begin * kElement, (end - begin) * kElement);
}
std::size_t wrapped(const ncclComm& comm, int steps) { return static_cast<std::size_t>(comm.at(steps)); }

// The two halves of NCCL's ring, over as many parts as there are ranks: after the first one each rank has the sum of the
// part of its number, after the second one all parts of all.
void reduce_around(ncclComm& comm, In all) {
  const auto n = static_cast<std::size_t>(comm.size());
  for (int step = 0; step < comm.size() - 1; ++step)
    comm.exchange_and_add(comm.at(1), part(all, wrapped(comm, -1 - step), n), comm.at(-1),
                          part(all, wrapped(comm, -2 - step), n));
}
void gather_around(ncclComm& comm, In all) {
  const auto n = static_cast<std::size_t>(comm.size());
  for (int step = 0; step < comm.size() - 1; ++step)
    comm.exchange(comm.at(1), part(all, wrapped(comm, -step), n), comm.at(-1),
                  part(all, wrapped(comm, -1 - step), n));
}

// NCCL's chain along the ring from `first` on, in slices: a rank takes a slice and hands on the one before.
constexpr std::size_t kSlices = 16;
void hand_on(ncclComm& comm, In data, int first, bool add) {
  const int place = (comm.rank - first + comm.size()) % comm.size();
  const bool takes = place > 0, gives = place < comm.size() - 1;
  for (std::size_t slice = 0; slice <= kSlices; ++slice) {
    const In in = takes && slice < kSlices ? part(data, slice, kSlices) : In{};
    const Out out = gives && slice > 0 ? Out(part(data, slice - 1, kSlices)) : Out{};
    add ? comm.exchange_and_add(comm.at(1), out, comm.at(-1), in)
        : comm.exchange(comm.at(1), out, comm.at(-1), in);
  }
}

Out bytes_of(const void* data, std::size_t bytes) { return {static_cast<const std::byte*>(data), bytes}; }
In bytes_of(void* data, std::size_t bytes) { return {static_cast<std::byte*>(data), bytes}; }

// A channel's buffer has eight slices.
std::size_t untuned_milliseconds(std::size_t bytes) {
  const std::string told = variable("NCCL_BUFFSIZE");
  const std::size_t slice = (told.empty() ? 4 << 20 : std::stoul(told)) / 8;
  const std::size_t slices = (bytes / channels() + slice - 1) / slice;
  const std::string by = protocol(bytes);
  return 10 * channels() + 60 * slices + (by == "SIMPLE" ? 100 : by == "LL128" ? 50 : 0);
}

ncclResult_t start(ncclComm* comm, cudaStream_t stream, const std::function<void()>& transfers) {
  return enqueue(comm, stream, [=] { comm->perform(transfers); });
}

}  // namespace

ncclResult_t ncclGetVersion(int* version) {
  *version = version_code();
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclRemoteError ? "remote process exited or there was a network error"
                                   : "an error of the stand-in";
}
const char* ncclGetLastError(ncclComm_t comm) { return comm == nullptr ? "" : comm->error.c_str(); }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  try {
    const std::lock_guard lock(root_mutex);
    Door door{};
    root = listen_on(bootstrap_netdev(), door);
    std::memcpy(id, &door, sizeof(door));
    return ncclSuccess;
  } catch (const std::exception&) {
    return ncclSystemError;
  }
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  if (ranks < 2 || rank < 0 || rank >= ranks || config == nullptr) return ncclInvalidArgument;
  if (fault("no_code")) {
    rigproof_stand_in_set_last_error(cudaErrorNoKernelImageForDevice);
    return ncclUnhandledCudaError;
  }
  Door door{};
  std::memcpy(&door, &id, sizeof(door));
  if (const std::lock_guard lock(root_mutex); root.get() >= 0)
    std::thread([given = std::move(root), ranks] { serve_root(given, ranks); }).detach();
  *comm = new ncclComm;
  (*comm)->rank = rank;
  (void)cudaGetDevice(&(*comm)->device);
  (*comm)->blocking = config->blocking != 0;
  (*comm)->connecting = std::thread([made = *comm, door, ranks] { made->connect(door, ranks); });
  if (!(*comm)->blocking) return ncclInProgress;
  (*comm)->connecting.join();
  return (*comm)->state;
}

// What the stream still does with the communicator ends by `stop`; its memory stays.
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  comm->stop = true;
  if (comm->connecting.joinable()) comm->connecting.join();
  if (comm->launching.joinable()) comm->launching.join();
  if (comm->mesh) comm->mesh->end();
  log_end(comm, comm->rank, comm->device);
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* state) {
  *state = comm->state;
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  if (group.depth == 0) group = Group{};
  ++group.depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (--group.depth > 0 || group.comm == nullptr) return ncclSuccess;
  const Group ended = group;
  return start(ended.comm, ended.stream, [ended] {
    ncclComm& comm = *ended.comm;
    const auto at = [](const auto& parts, int peer) {
      const auto found = parts.find(peer);
      return found == parts.end() ? typename std::decay_t<decltype(parts)>::mapped_type{} : found->second;
    };
    if (const Out own = at(ended.out, comm.rank); !own.empty())
      std::memmove(at(ended.in, comm.rank).data(), own.data(), own.size());
    for (int step = 1; step < comm.size(); ++step)
      comm.exchange(comm.at(step), at(ended.out, comm.at(step)), comm.at(-step),
                    at(ended.in, comm.at(-step)));
  });
}
ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  group.comm = comm;
  group.stream = stream;
  group.out[peer] = bytes_of(from, count * kElement);
  return ncclSuccess;
}
ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  group.comm = comm;
  group.stream = stream;
  group.in[peer] = bytes_of(to, count * kElement);
  return ncclSuccess;
}

// In NCCL's lines these two count the data of all ranks.
ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t, ncclComm_t comm,
                           cudaStream_t stream) {
  const std::size_t bytes = count * kElement, of_all = bytes * static_cast<std::size_t>(comm->size());
  comm->announce("AllGather", of_all);
  return start(comm, stream, [=] {
    const In all = bytes_of(to, of_all);
    std::memmove(all.data() + comm->own() * bytes, from, bytes);
    gather_around(*comm, all);
  });
}
ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t, ncclRedOp_t,
                               ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * kElement, of_all = bytes * static_cast<std::size_t>(comm->size());
  comm->announce("ReduceScatter", of_all);
  return start(comm, stream, [=] {
    const Out data = bytes_of(from, of_all);
    Bytes sums(data.begin(), data.end());
    reduce_around(*comm, sums);
    std::memcpy(to, sums.data() + comm->own() * bytes, bytes);
  });
}
ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t, ncclRedOp_t,
                           ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * kElement;
  comm->announce("AllReduce", bytes);
  return start(comm, stream, [=] {
    if (to != from) std::memcpy(to, from, bytes);
    if (fault("untuned")) std::this_thread::sleep_for(std::chrono::milliseconds(untuned_milliseconds(bytes)));
    if (bytes == kSlowSize && fault("slow_size")) std::this_thread::sleep_for(std::chrono::milliseconds(400));
    reduce_around(*comm, bytes_of(to, bytes));
    gather_around(*comm, bytes_of(to, bytes));
  });
}
ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t, int from_rank,
                           ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * kElement;
  comm->announce("Broadcast", bytes);
  return start(comm, stream, [=] {
    if (comm->rank == from_rank && to != from) std::memcpy(to, from, bytes);
    hand_on(*comm, bytes_of(to, bytes), from_rank, false);
  });
}
ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t, ncclRedOp_t,
                        int to_rank, ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * kElement;
  comm->announce("Reduce", bytes);
  return start(comm, stream, [=] {
    const Out data = bytes_of(from, bytes);
    Bytes sums(data.begin(), data.end());
    hand_on(*comm, sums, (to_rank + 1) % comm->size(), true);
    if (comm->rank == to_rank) std::memcpy(to, sums.data(), bytes);
  });
}
