// A stand-in for a card's own counters (ethtool -S), for netdevs whose driver has none like them: preloaded, it answers
// the kernel's ioctl for them with the names of mlx5. They grow with the frames that the netdev carries, and so under a
// load of any kind and no other time. STAND_IN_FAULT says which of them grow beside the frames:
//   symbols     rx_pcs_symbol_err_phy: one in 1,000 frames came damaged
//   mended      rx_corrected_bits_phy: one bit in 100 had to be mended
//   discards    rx_discards_phy: one in 100 frames was thrown away
#include <dlfcn.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tests/stand_ins/faults.h"

namespace {

using stand_in::fault;

constexpr std::array<const char*, 5> kNames{"rx_packets_phy", "tx_packets_phy", "rx_discards_phy",
                                            "rx_pcs_symbol_err_phy", "rx_corrected_bits_phy"};

// The kernel's counters of the netdev, in the calling thread's network namespace.
rtnl_link_stats carried_by(std::string_view netdev) {
  rtnl_link_stats carried{};
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return carried;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next)
    if (netdev == one->ifa_name && one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_PACKET &&
        one->ifa_data != nullptr)
      std::memcpy(&carried, one->ifa_data, sizeof(carried));
  freeifaddrs(all);
  return carried;
}

std::array<std::uint64_t, kNames.size()> counters_of(std::string_view netdev) {
  const rtnl_link_stats carried = carried_by(netdev);
  return {carried.rx_packets, carried.tx_packets, fault("discards") ? carried.rx_packets / 100 : 0,
          fault("symbols") ? carried.rx_packets / 1000 : 0,
          fault("mended") ? std::uint64_t{carried.rx_bytes} * 8 / 100 : 0};
}

bool is_card(std::string_view netdev) { return netdev.starts_with("en"); }

// Whether the command is one of those about counters; answered then.
bool answer(std::string_view netdev, void* command) {
  const auto count = static_cast<std::uint32_t>(kNames.size());
  switch (*static_cast<std::uint32_t*>(command)) {
    case ETHTOOL_GSSET_INFO: {
      auto* const info = static_cast<ethtool_sset_info*>(command);
      if (info->sset_mask != 1ULL << ETH_SS_STATS) return false;
      info->data[0] = count;
      return true;
    }
    case ETHTOOL_GSTRINGS: {
      auto* const strings = static_cast<ethtool_gstrings*>(command);
      if (strings->string_set != ETH_SS_STATS) return false;
      strings->len = count;
      std::memset(strings->data, 0, std::size_t{count} * ETH_GSTRING_LEN);
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(strings->data + i * ETH_GSTRING_LEN, kNames[i], std::strlen(kNames[i]));
      return true;
    }
    case ETHTOOL_GSTATS: {
      auto* const stats = static_cast<ethtool_stats*>(command);
      stats->n_stats = count;
      const auto values = counters_of(netdev);
      std::memcpy(stats->data, values.data(), sizeof(values));
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

// The C library's, for all but a card's counters.
extern "C" int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  using Ioctl = int (*)(int, unsigned long, void*);
  static const auto real = reinterpret_cast<Ioctl>(dlsym(RTLD_NEXT, "ioctl"));
  if (request == SIOCETHTOOL) {
    auto* const asked = static_cast<ifreq*>(argument);
    if (is_card(asked->ifr_name) && answer(asked->ifr_name, asked->ifr_data)) return 0;
  }
  return real(descriptor, request, argument);
}
