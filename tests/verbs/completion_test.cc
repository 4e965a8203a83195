#include "fixtures/verbs/queue_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rigproof {
namespace {

using testing::HasSubstr;

TEST(Completion, InErrorNamesDeviceStatusVendorErrorAndMeaning) {
  ibv_wc completion{};
  completion.status = IBV_WC_RETRY_EXC_ERR;
  completion.vendor_err = 0x81;
  const verbs::CompletionError error("rocep1s0f0", completion);
  EXPECT_THAT(error.what(),
              HasSubstr("rocep1s0f0: transport retry counter exceeded (status 12, vendor error 0x81)"));
  EXPECT_THAT(error.what(), HasSubstr("the peer does not answer"));
}

TEST(Completion, HasAMeaningForEveryStatus) {
  for (int status = 0; status <= IBV_WC_TM_RNDV_INCOMPLETE; ++status)
    EXPECT_FALSE(verbs::meaning_of(static_cast<ibv_wc_status>(status)).empty()) << status;
}

}  // namespace
}  // namespace rigproof
