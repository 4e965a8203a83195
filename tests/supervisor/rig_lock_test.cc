#include "framework/supervisor/rig_lock.h"

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
  const RigLock held(unique("rig"));
  EXPECT_THAT([] { RigLock second(unique("rig")); },
              ThrowsMessage<Refused>(
                  AllOf(HasSubstr(fmt::format("process {}", getpid())), HasSubstr(unique("rig")))));
}
TEST(RigLock, IsFreeOnceItsHolderIsGone) {
  { const RigLock first(unique("rig")); }
  EXPECT_NO_THROW(RigLock(unique("rig")));
}
TEST(RigLock, OfAnotherRigIsAnother) {
  const RigLock first(unique("rig-1"));
  EXPECT_NO_THROW(RigLock(unique("rig-2")));
}
TEST(RigLock, HoldsForEveryLegalName) { EXPECT_NO_THROW(RigLock(std::string(64, 'x'))); }

}  // namespace
}  // namespace rigproof
