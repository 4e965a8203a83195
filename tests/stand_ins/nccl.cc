// A stand-in for libnccl: two ranks that move real bytes over the rails by TCP, a connection a rail, with the lines that
// NCCL logs. It does what fixtures/nccl asks of the real one, and says what it is (rigproof_nccl_stand_in); README.md
// says in what they differ.
#include <nccl.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
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

constexpr std::size_t kMostDoors = 8;
constexpr std::size_t kElement = sizeof(std::uint32_t);

// What an ncclUniqueId holds.
struct Invitation {
  std::uint32_t count;
  Door doors[kMostDoors];
};
static_assert(sizeof(Invitation) <= NCCL_UNIQUE_ID_BYTES);

std::mutex doors_mutex;
std::vector<Socket> open_doors;  // of the last id that this process gave out

int version_code() { return fault("version") ? 22703 : NCCL_VERSION_CODE; }
std::string version_text() {
  const int code = version_code();
  return std::to_string(code / 10000) + "." + std::to_string(code % 10000 / 100) + "." +
         std::to_string(code % 100);
}

}  // namespace

// One transfer with the peer: what goes out, where what comes in goes, and what to do then.
struct Exchange {
  const void* out = nullptr;
  std::size_t out_bytes = 0;
  void* in = nullptr;
  std::size_t in_bytes = 0;
  bool add = false;  // what comes in is added, else it is written
};

struct ncclComm {
  int rank = 0;
  std::optional<Rails> rails;
  std::atomic<ncclResult_t> state = ncclInProgress;
  std::atomic<bool> stop = false;
  std::string error;
  std::thread connecting;
  bool blocking = false;
  std::thread launching;  // the last operation, of a non-blocking communicator
  int operations = 0;

  void fail(ncclResult_t result, const std::string& why) {
    error = why;
    state = result;
  }
  void connect(Invitation invitation);
  void announce(const char* function, std::size_t bytes) const {
    if (rank == 0) log_choice(function, bytes, named_netdevs().size());
  }
  void perform(const Exchange& exchange);
  void misbehave();
  void damage(Bytes& received);
  Bytes last_received;
};

void ncclComm::connect(Invitation invitation) {
  try {
    log_start(this, rank, named_netdevs(), version_text());
    if (rank == 0) {
      std::vector<Socket> doors;
      {
        const std::lock_guard lock(doors_mutex);
        doors = std::move(open_doors);
      }
      rails = Rails::accept(doors, stop);
    } else {
      rails = Rails::connect(std::span(invitation.doors).first(invitation.count), stop);
    }
    int own = version_code(), theirs = 0;
    rails->exchange(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(&theirs, 1)), stop);
    if (own != theirs) return fail(ncclInvalidUsage, "Mismatched NCCL versions detected on the ranks");
    state = ncclSuccess;
  } catch (const std::exception& caught) {
    fail(ncclSystemError, caught.what());
  }
}

void ncclComm::misbehave() {
  if (++operations == 3 && fault("die")) raise(SIGKILL);
  while (operations == 3 && fault("hang") && !stop)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void ncclComm::damage(Bytes& received) {
  constexpr std::size_t kEvery = 16 << 10;
  const bool repeated = received == last_received;
  last_received = received;
  if (!received.empty() && fault("corrupt")) received.back() ^= std::byte{0x10};
  if (repeated && !received.empty() && fault("corrupt_repeated"))
    for (std::size_t at = 0; at < received.size(); at += kEvery) received[at] ^= std::byte{0x10};
}

void ncclComm::perform(const Exchange& exchange) {
  // Looked at once: between two looks it may go from one of these to the other.
  const ncclResult_t now = state;
  if (now != ncclSuccess && now != ncclInProgress) return;
  try {
    Bytes received(exchange.in_bytes);
    misbehave();
    if (operations == 1) log_channels(rank, 1 - rank, named_netdevs());
    rails->exchange({static_cast<const std::byte*>(exchange.out), exchange.out_bytes}, received, stop);
    damage(received);
    if (!exchange.add) {
      std::memcpy(exchange.in, received.data(), received.size());
      return;
    }
    auto* const sum = static_cast<std::uint32_t*>(exchange.in);
    const auto* const other = reinterpret_cast<const std::uint32_t*>(received.data());
    for (std::size_t i = 0; i < received.size() / kElement; ++i) sum[i] += other[i];
  } catch (const std::exception& caught) {
    fail(ncclRemoteError, caught.what());
  }
}

namespace {

// The sends and receives between ncclGroupStart() and ncclGroupEnd(): with two ranks at most one of each with
// the peer, and one of each with itself.
struct Group {
  int depth = 0;
  ncclComm* comm = nullptr;
  cudaStream_t stream = nullptr;
  Exchange with_peer, with_self;
};
thread_local Group group;

// As NCCL does (src/group.cc): at once where the communicator blocks, else by a thread made for this operation; until it
// has done so nothing more is taken.
ncclResult_t enqueue(ncclComm* comm, cudaStream_t stream, const std::function<void()>& work) {
  if (comm->state == ncclInProgress) return ncclInvalidArgument;
  if (comm->state != ncclSuccess) return comm->state;
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

Exchange& part_of_group(int peer, ncclComm* comm, cudaStream_t stream) {
  group.comm = comm;
  group.stream = stream;
  return peer == comm->rank ? group.with_self : group.with_peer;
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
    const std::lock_guard lock(doors_mutex);
    open_doors.clear();
    Invitation invitation{};
    for (const std::string& netdev : rail_netdevs())
      open_doors.push_back(listen_on(netdev, invitation.doors[invitation.count++]));
    std::memcpy(id, &invitation, sizeof(invitation));
    return ncclSuccess;
  } catch (const std::exception&) {
    return ncclSystemError;
  }
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  if (ranks != 2 || config == nullptr) return ncclInvalidArgument;
  if (fault("no_code")) {
    rigproof_stand_in_set_last_error(cudaErrorNoKernelImageForDevice);
    return ncclUnhandledCudaError;
  }
  Invitation invitation{};
  std::memcpy(&invitation, &id, sizeof(invitation));
  *comm = new ncclComm;
  (*comm)->rank = rank;
  (*comm)->blocking = config->blocking != 0;
  (*comm)->connecting = std::thread([made = *comm, invitation] { made->connect(invitation); });
  if (!(*comm)->blocking) return ncclInProgress;
  (*comm)->connecting.join();
  return (*comm)->state;
}

// What the stream still does with the communicator ends by `stop`; its memory stays.
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  comm->stop = true;
  if (comm->connecting.joinable()) comm->connecting.join();
  if (comm->launching.joinable()) comm->launching.join();
  log_end(comm, comm->rank);
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
  return enqueue(ended.comm, ended.stream, [ended] {
    if (ended.with_self.out != nullptr)
      std::memmove(ended.with_self.in, ended.with_self.out, ended.with_self.out_bytes);
    ended.comm->perform(ended.with_peer);
  });
}
ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  Exchange& part = part_of_group(peer, comm, stream);
  part.out = from;
  part.out_bytes = count * kElement;
  return ncclSuccess;
}
ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  Exchange& part = part_of_group(peer, comm, stream);
  part.in = to;
  part.in_bytes = count * kElement;
  return ncclSuccess;
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t, ncclComm_t comm,
                           cudaStream_t stream) {
  auto* const all = static_cast<std::byte*>(to);
  const std::size_t bytes = count * kElement;
  comm->announce("AllGather", 2 * bytes);
  return enqueue(comm, stream, [=] {
    std::memmove(all + static_cast<std::size_t>(comm->rank) * bytes, from, bytes);
    comm->perform({from, bytes, all + static_cast<std::size_t>(1 - comm->rank) * bytes, bytes});
  });
}
ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t, ncclRedOp_t,
                           ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * kElement;
  comm->announce("AllReduce", bytes);
  return enqueue(comm, stream, [=] {
    const Bytes own(static_cast<const std::byte*>(from), static_cast<const std::byte*>(from) + bytes);
    if (to != from) std::memcpy(to, from, bytes);
    comm->perform({own.data(), bytes, to, bytes, true});
  });
}
ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * kElement;
  comm->announce("Broadcast", bytes);
  return enqueue(comm, stream, [=] {
    if (comm->rank != root) return comm->perform({nullptr, 0, to, bytes});
    if (to != from) std::memcpy(to, from, bytes);
    comm->perform({from, bytes, nullptr, 0});
  });
}
ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t, ncclRedOp_t, int root,
                        ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * kElement;
  comm->announce("Reduce", bytes);
  return enqueue(comm, stream, [=] {
    if (comm->rank != root) return comm->perform({from, bytes, nullptr, 0});
    if (to != from) std::memcpy(to, from, bytes);
    comm->perform({nullptr, 0, to, bytes, true});
  });
}
ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t, ncclRedOp_t,
                               ncclComm_t comm, cudaStream_t stream) {
  const auto* const all = static_cast<const std::byte*>(from);
  const std::size_t bytes = count * kElement;
  comm->announce("ReduceScatter", 2 * bytes);
  return enqueue(comm, stream, [=] {
    std::memmove(to, all + static_cast<std::size_t>(comm->rank) * bytes, bytes);
    comm->perform({all + static_cast<std::size_t>(1 - comm->rank) * bytes, bytes, to, bytes, true});
  });
}
