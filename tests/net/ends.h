#pragma once

#include "fixtures/net/socket.h"
#include "fixtures/net/token.h"

namespace rigproof::net {

inline const Poll kNoPoll = [] {};
inline const LocalEnd kLoopback{"lo", "127.0.0.1"};
inline const Token kToken = random_token();
// The netdevs of two_nodes.h.
inline const LocalEnd kNodeA{"nic", "198.18.1.1"}, kNodeB{"nic", "198.18.1.2"};

}  // namespace rigproof::net
