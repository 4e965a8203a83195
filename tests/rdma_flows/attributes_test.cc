// Queue pairs are as the rig file has their rail. Catches: loads in class 0 on a rail of another class.
#include <gtest/gtest.h>

#include "fixtures/rdma_flows/rdma_flows.h"
#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

TEST(AttributesFor, HaveTheClassOfServiceOfTheRail) {
  const Rig rig = rig_of(
      replaced(star_text(2), "name = \"rail1\"", "name = \"rail1\"\ntraffic_class = 106\nservice_level = 3"));
  const auto attributes = rdma_flows::attributes_for(rig, {1, 0, 1}, DataSize::mebibytes(1));
  EXPECT_EQ(attributes.traffic_class, 106);
  EXPECT_EQ(attributes.service_level, 3);
  EXPECT_EQ(rdma_flows::attributes_for(rig, {1, 0, 0}, DataSize::mebibytes(1)).traffic_class, 0);
}

}  // namespace
}  // namespace rigproof
