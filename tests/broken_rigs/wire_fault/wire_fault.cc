// A wire that is worse than none: passes on to each of two netdevs what arrives at the other, with a fault. Ends by a signal.
//
//   wire_fault FROM TO FAULT          in the direction from FROM to TO alone; the other is sound
//     corrupt SHARE                   of the large packets: two words of the payload are others, and all checksums hold
//     duplicate SHARE                 of the packets come twice
//     late SHARE MILLISECONDS         of the packets come so much later: all (1), or some, which others overtake
//     remark CLASS                    each IPv4 packet gets this traffic class, the byte with DSCP and ECN bits
//     one_capacity MBIT               both directions together carry this rate; what waits for 20 ms is dropped
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "framework/process/file_descriptor.h"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration_cast;

// As the kernel hands it over: where a checksum is still to be written, and the packet with its Ethernet header.
using Packet = std::span<char>;
constexpr std::size_t kOffload = 10;  // virtio_net_hdr, whose header file C++ does not take

void check(bool ok, const std::string& what) {
  if (!ok) throw std::system_error(errno, std::generic_category(), what);
}

// All packets that arrive at a netdev, by a ring that this process shares with the kernel: a socket's buffer holds too few for
// as long as a busy machine lets this process wait.
class End {
 public:
  explicit End(const std::string& netdev)
      : socket_(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0)), netdev_(netdev) {
    check(static_cast<bool>(socket_), "a packet socket");
    set(PACKET_VERSION, int{TPACKET_V2});
    set(PACKET_VNET_HDR, 1);
    set(PACKET_IGNORE_OUTGOING, 1);
    const tpacket_req ring{.tp_block_size = kBlock,
                           .tp_block_nr = kFrames * kFrame / kBlock,
                           .tp_frame_size = kFrame,
                           .tp_frame_nr = kFrames};
    set(PACKET_RX_RING, ring);
    void* const memory =
        ::mmap(nullptr, std::size_t{kFrames} * kFrame, PROT_READ | PROT_WRITE, MAP_SHARED, socket_.get(), 0);
    check(memory != MAP_FAILED, "the ring of " + netdev);
    ring_ = static_cast<char*>(memory);
    sockaddr_ll at{};
    at.sll_family = AF_PACKET;
    at.sll_protocol = htons(ETH_P_ALL);
    at.sll_ifindex = static_cast<int>(::if_nametoindex(netdev.c_str()));
    check(at.sll_ifindex != 0, netdev);
    check(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0, "bind to " + netdev);
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;
  ~End() { ::munmap(ring_, std::size_t{kFrames} * kFrame); }

  [[nodiscard]] int fd() const { return socket_.get(); }

  // Hands over what has arrived, a ring full at most.
  void take(const std::function<void(Packet)>& handle) {
    for (unsigned taken = 0; taken < kFrames; ++taken) {
      char* const frame = ring_ + std::size_t{next_} * kFrame;
      auto* const header = reinterpret_cast<tpacket2_hdr*>(frame);
      if ((__atomic_load_n(&header->tp_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER) == 0) return;
      if (header->tp_snaplen == header->tp_len)
        handle({frame + header->tp_mac - kOffload, header->tp_snaplen + kOffload});
      __atomic_store_n(&header->tp_status, __u32{TP_STATUS_KERNEL}, __ATOMIC_RELEASE);
      next_ = (next_ + 1) % kFrames;
    }
  }

  void send(Packet packet) const {
    const ssize_t sent = ::send(socket_.get(), packet.data(), packet.size(), 0);
    check(sent >= 0 || errno == ENOBUFS || errno == ENETDOWN, "send by " + netdev_);
  }

 private:
  static constexpr unsigned kFrame = 16384, kFrames = 1024, kBlock = 1U << 18;

  template <class Value>
  void set(int option, const Value& value) const {
    check(::setsockopt(socket_.get(), SOL_PACKET, option, &value, sizeof value) == 0,
          fmt::format("packet option {}", option));
  }

  rigproof::process::FileDescriptor socket_;
  std::string netdev_;
  char* ring_ = nullptr;
  unsigned next_ = 0;
};

// Two words of 16 bits in the payload of a large packet: one grows by one and the other shrinks by one, and so their sum,
// which is all that TCP and UDP check, stays the same.
void corrupt(Packet packet) {
  constexpr std::size_t kLarge = 1000;
  if (packet.size() < kLarge) return;
  for (std::size_t at = kOffload + kLarge / 2; at + 4 <= packet.size(); at += 4) {
    std::array<std::uint16_t, 2> words;
    std::memcpy(words.data(), packet.data() + at, sizeof words);
    if (words[0] == 0xFFFF || words[1] == 0) continue;
    words = {static_cast<std::uint16_t>(words[0] + 1), static_cast<std::uint16_t>(words[1] - 1)};
    std::memcpy(packet.data() + at, words.data(), sizeof words);
    return;
  }
}

// Writes the traffic class into the IP header, and mends its checksum (RFC 1624).
void remark(Packet packet, std::uint8_t traffic_class) {
  constexpr std::size_t kIp = kOffload + ETH_HLEN, kChecksum = kIp + 10;
  std::array<std::uint8_t, 2> type{}, word{}, sum{};
  if (packet.size() < kIp + 20) return;
  std::memcpy(type.data(), packet.data() + kIp - 2, 2);
  if (type != std::array<std::uint8_t, 2>{0x08, 0x00}) return;
  const auto number = [](const std::array<std::uint8_t, 2>& bytes) {
    return std::uint32_t{bytes[0]} << 8 | bytes[1];
  };
  std::memcpy(word.data(), packet.data() + kIp, 2);
  std::memcpy(sum.data(), packet.data() + kChecksum, 2);
  std::uint32_t checksum = (~number(sum) & 0xFFFF) + (~number(word) & 0xFFFF);
  word[1] = traffic_class;
  checksum += number(word);
  while (checksum > 0xFFFF) checksum = (checksum & 0xFFFF) + (checksum >> 16);
  checksum = ~checksum & 0xFFFF;
  sum = {static_cast<std::uint8_t>(checksum >> 8), static_cast<std::uint8_t>(checksum)};
  std::memcpy(packet.data() + kIp, word.data(), 2);
  std::memcpy(packet.data() + kChecksum, sum.data(), 2);
}

class Wire {
 public:
  Wire(const std::string& from, const std::string& to, std::vector<std::string> fault)
      : from_(from), to_(to), fault_(std::move(fault)) {
    const auto number = [&](std::size_t word) { return std::stod(fault_.at(word)); };
    const std::string& name = fault_.at(0);
    if (name == "corrupt" || name == "duplicate" || name == "late")
      share_ = std::bernoulli_distribution(number(1));
    if (name == "late")
      late_ = duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(number(2)));
    else if (name == "one_capacity")
      rate_ = number(1) * 1e6 / 8;
    else if (name == "remark")
      traffic_class_ = static_cast<std::uint8_t>(number(1));
    else if (name != "corrupt" && name != "duplicate")
      throw std::invalid_argument("no fault '" + name + "'");
  }

  [[noreturn]] void run() {
    for (;;) {
      wait();
      from_.take([&](Packet packet) { forth(packet); });
      to_.take([&](Packet packet) { pass(packet, from_); });
      for (const auto now = Clock::now(); !waiting_.empty() && waiting_.begin()->first <= now;
           waiting_.erase(waiting_.begin()))
        waiting_.begin()->second.to->send(waiting_.begin()->second.packet);
    }
  }

 private:
  struct Waiting {
    const End* to;
    std::vector<char> packet;
  };

  // Until something arrives, or is due.
  void wait() const {
    std::array<pollfd, 2> ends{pollfd{from_.fd(), POLLIN, 0}, pollfd{to_.fd(), POLLIN, 0}};
    timespec left{};
    if (!waiting_.empty()) {
      const auto due = std::max(Clock::duration::zero(), waiting_.begin()->first - Clock::now());
      left = {.tv_sec = due / std::chrono::seconds(1), .tv_nsec = (due % std::chrono::seconds(1)).count()};
    }
    check(
        ::ppoll(ends.data(), ends.size(), waiting_.empty() ? nullptr : &left, nullptr) >= 0 || errno == EINTR,
        "poll");
  }

  void forth(Packet packet) {
    const bool meant = share_.p() > 0 && share_(random_);
    if (meant && late_ > Clock::duration::zero()) return later(packet, to_, Clock::now() + late_);
    if (meant && fault_[0] == "corrupt") corrupt(packet);
    if (meant && fault_[0] == "duplicate") to_.send(packet);
    if (traffic_class_) remark(packet, *traffic_class_);
    pass(packet, to_);
  }

  void pass(Packet packet, const End& to) {
    constexpr auto kLongest = std::chrono::milliseconds(20);
    if (rate_ == 0) return to.send(packet);
    const auto now = Clock::now();
    free_ = std::max(free_, now);
    if (free_ - now > kLongest) return;
    free_ += duration_cast<Clock::duration>(
        std::chrono::duration<double>(static_cast<double>(packet.size() - kOffload) / rate_));
    later(packet, to, free_);
  }

  void later(Packet packet, const End& to, Clock::time_point due) {
    waiting_.emplace(due, Waiting{&to, {packet.begin(), packet.end()}});
  }

  End from_, to_;
  std::vector<std::string> fault_;
  std::bernoulli_distribution share_{0};  // of the packets that the fault concerns
  Clock::duration late_{};
  std::optional<std::uint8_t> traffic_class_;
  double rate_ = 0;           // B/s of both directions; 0: without a limit
  Clock::time_point free_{};  // when what they carry together is on its way
  std::multimap<Clock::time_point, Waiting> waiting_;
  std::minstd_rand random_{std::random_device()()};
};

}  // namespace

int main(int count, char** words) {
  try {
    if (count < 5) throw std::invalid_argument("usage: wire_fault FROM TO FAULT (see the source)");
    Wire(words[1], words[2], {words + 3, words + count}).run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "wire_fault: {}\n", error.what());
    return 2;
  }
}
