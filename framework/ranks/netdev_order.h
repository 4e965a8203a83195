#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/units/ip_address.h"

namespace rigproof::inline ranks {

// The netdevs with addresses of a node.
struct NodeNetdevs {
  std::vector<std::string> ipv6;                               // in the order of /proc/net/if_inet6
  std::vector<std::pair<std::string, IpInterface>> ipv4 = {};  // in the kernel's order
};

// Open MPI's list btl_tcp_if_include (netdevs, and subnets of IPv4) for this node: its netdevs, those with IPv6 first.
// Open MPI 4.1 pairs the list with the node's addresses place by place, IPv6 before IPv4. In another order it binds the
// connections of one netdev to the address of another, and the job hangs or ends; a netdev that the node lacks ends it,
// too (seen with 4.1.4). Unchanged: no netdev of the list has IPv6 alone.
[[nodiscard]] std::string in_open_mpis_order(const std::string& list, const NodeNetdevs& node);

// Local; call before MPI_Init. Sets the list in this process's environment, where the launcher has set one.
void order_netdevs_for_open_mpi();

}  // namespace rigproof::inline ranks
