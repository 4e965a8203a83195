#pragma once

namespace rigproof {

// For in_private_network(): nodes "a" (198.18.1.1 on nic) and "b" (198.18.1.2 on nic), MTU 9000, joined by a
// bridge in "fabric", whose ports sw-a and sw-b face them. What fabric does to packets on their way out of
// sw-b, it does to those for b only. Without offloads: packets are as big as they look.
inline constexpr char kTwoNodes[] =
    "ip netns add fabric; ip -n fabric link add br0 mtu 9000 type bridge; ip -n fabric link set br0 up;"
    "i=0; for n in a b; do i=$((i+1)); ip netns add $n;"
    "  ip -n $n link add nic mtu 9000 type veth peer name sw-$n mtu 9000 netns fabric;"
    "  ip netns exec $n ethtool -K nic tso off gso off gro off >/dev/null;"
    "  ip netns exec fabric ethtool -K sw-$n tso off gso off gro off >/dev/null;"
    "  ip -n fabric link set sw-$n master br0 up;"
    "  ip -n $n addr add 198.18.1.$i/24 dev nic; ip -n $n link set nic up;"
    "done;";

}  // namespace rigproof
