#include "fixtures/counters/traffic.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace rigproof::counters {
namespace {

// Sends over the loopback, which needs no socket that listens.
void send_to_loopback(std::size_t datagrams, std::size_t size) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(9);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string data(size, 'x');
  for (std::size_t i = 0; i < datagrams; ++i)
    (void)sendto(fd, data.data(), data.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  close(fd);
}

// Data that went by no rail must show up somewhere.
TEST(NodeTraffic, CountsEveryInterfaceFromItsConstructionOn) {
  send_to_loopback(10, 1000);
  const NodeTraffic traffic;
  send_to_loopback(1000, 1000);
  const auto ways = traffic.carried();
  const auto loopback = std::ranges::find_if(ways, [](const auto& way) { return way.name == "lo"; });
  ASSERT_NE(loopback, ways.end());
  EXPECT_FALSE(loopback->rdma);
  EXPECT_GE(loopback->bytes(), 1'000'000U);
}

}  // namespace
}  // namespace rigproof::counters
