#include "fixtures/net/ethtool.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <vector>

#include "fixtures/net/socket.h"

namespace rigproof::net {
namespace {

TEST(ModulePage, IsAskedForByHalvesAndNoPageAboveTheFirst) {
  std::string module;
  for (int i = 0; i < 256; ++i) module += static_cast<char>(i);
  std::vector<std::string> asked;
  const std::string page = read_module_page([&](const ModulePart& part) {
    EXPECT_EQ(part.page, 0);
    asked.push_back(std::to_string(part.offset) + "+" + std::to_string(part.length));
    return module.substr(part.offset, part.length);
  });
  EXPECT_EQ(page, module);
  EXPECT_THAT(asked, testing::ElementsAre("0+128", "128+128"));
}
TEST(ModulePage, IsPutTogetherFromShorterPieces) {
  const std::string module(256, 'x');
  EXPECT_EQ(read_module_page([&](const ModulePart& part) {
              EXPECT_LE(part.offset % 128 + part.length, 128U) << "a part lies within one half";
              return module.substr(part.offset, std::min(part.length, 48U));
            }),
            module);
}
TEST(ModulePage, EndsWhereNothingMoreIsTold) {
  EXPECT_EQ(read_module_page([](const ModulePart& part) {
              return std::string(part.offset == 0 ? 128 : 0, 'x');
            }).size(),
            128U);
}
TEST(ModulePage, OfANetdevWithoutAModuleIsAnErrorOfTheKernels) {
  for (const char* netdev : {"lo", "no-such-netdev"}) {
    try {
      (void)ethtool_module_eeprom(netdev);
      ADD_FAILURE() << netdev << " has a module";
    } catch (const NetError& error) {
      EXPECT_EQ(error.call(), "ethtool -m");
      EXPECT_EQ(error.device(), netdev);
      EXPECT_THAT(error.error_number(), testing::AnyOf(EOPNOTSUPP, EPERM, ENODEV));
    }
  }
}

}  // namespace
}  // namespace rigproof::net
