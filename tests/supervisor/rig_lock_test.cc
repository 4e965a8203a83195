#include "framework/supervisor/run_rig.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <string>

#include "framework/supervisor/exit_code.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string unique(const std::string& name) { return fmt::format("{}-{}", name, getpid()); }

TEST(RigLock, IsRefusedWhileHeldNamingTheHolder) {
  const supervisor::RigLock held(unique("rig"));
  EXPECT_THAT([] { supervisor::RigLock second(unique("rig")); },
              ThrowsMessage<supervisor::Refused>(
                  AllOf(HasSubstr(fmt::format("process {}", getpid())), HasSubstr(unique("rig")))));
}
TEST(RigLock, IsFreeOnceItsHolderIsGone) {
  { const supervisor::RigLock first(unique("rig")); }
  EXPECT_NO_THROW(supervisor::RigLock(unique("rig")));
}
TEST(RigLock, OfAnotherRigIsAnother) {
  const supervisor::RigLock first(unique("rig-1"));
  EXPECT_NO_THROW(supervisor::RigLock(unique("rig-2")));
}
TEST(RigLock, HoldsForEveryLegalName) { EXPECT_NO_THROW(supervisor::RigLock(std::string(64, 'x'))); }

}  // namespace
}  // namespace rigproof
