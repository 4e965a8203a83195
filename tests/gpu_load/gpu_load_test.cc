// With a stand-in for CUDA (tests/stand_ins) that this program has loaded: the library's name finds it from then on.
#include "fixtures/gpu_load/gpu_load.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cstdlib>

namespace rigproof::gpu_load {
namespace {

using testing::HasSubstr;

class WithStandIns : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* library : {"libcudart.so.13", "libcublas.so.13"}) {
      const std::string path = std::string(STAND_INS) + "/" + library;
      ASSERT_NE(::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL), nullptr) << ::dlerror();
    }
  }
  void TearDown() override { ::unsetenv("STAND_IN_FAULT"); }
};

TEST_F(WithStandIns, CountsTheGpusOfCuda) { EXPECT_EQ(number_of_gpus(), 1); }

// CUDA calls it an error that it may use no GPU. Catches: an answer that is taken for none.
TEST_F(WithStandIns, CountsNoneWhereCudaMayUseNone) {
  ::setenv("STAND_IN_FAULT", "hidden", 1);
  EXPECT_EQ(number_of_gpus(), 0);
  try {
    const GpuLoad load(0);
    ADD_FAILURE() << "a load of no GPU";
  } catch (const NoGpu& none) {
    EXPECT_THAT(none.what(), HasSubstr("CUDA finds no GPU"));
  }
}

}  // namespace
}  // namespace rigproof::gpu_load
