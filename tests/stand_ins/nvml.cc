// A stand-in for NVIDIA's management library: one GPU that is a stand-in by name, and tells no more of itself than a GB10
// does: no serial, no memory clock, no ECC unless STAND_IN_ECC is set. STAND_IN_FAULT: see faults.h.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/stand_ins/faults.h"

extern "C" {

namespace {

using stand_in::fault;

constexpr int kSuccess = 0, kNotSupported = 3, kNotFound = 6, kResetRequired = 16;
constexpr unsigned kMemoryClock = 2;

int put(char* text, unsigned size, const char* value) {
  std::snprintf(text, size, "%s", value);
  return kSuccess;
}

unsigned number_of_gpus() {
  if (fault("second_slow") || fault("second_hidden")) return 2;
  return static_cast<unsigned>(std::max(1, stand_in::gpus()));
}

// A GPU that is slowed down once it is hot shows its whole clock for as long as these looks take.
bool is_slowed_down() {
  constexpr int kLooks = 3;
  static std::atomic<int> looks = 0;
  return fault("throttled") || (fault("throttles") && ++looks > kLooks);
}

}  // namespace

int nvmlInit_v2() { return fault("no_gpu") ? kNotFound : kSuccess; }
const char* nvmlErrorString(int result) {
  return result == kNotSupported    ? "Not Supported"
         : result == kResetRequired ? "GPU requires reset"
                                    : "Not Found";
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return put(text, size, fault("driver") ? "570.00.01" : "580.95.05");
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = number_of_gpus();
  return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  static char gpu;
  *device = &gpu;
  return index < number_of_gpus() ? kSuccess : kNotFound;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  unsigned bus = 0;
  if (std::sscanf(address, "%*x:%x:", &bus) != 1) return kNotFound;
  return nvmlDeviceGetHandleByIndex_v2(bus - 1, device);
}
int nvmlDeviceGetName(void*, char* text, unsigned size) { return put(text, size, "stand-in GPU"); }
int nvmlDeviceGetUUID(void*, char* text, unsigned size) { return put(text, size, "GPU-stand-in"); }
int nvmlDeviceGetVbiosVersion(void*, char* text, unsigned size) { return put(text, size, "9A.0B.00"); }
int nvmlDeviceGetSerial(void*, char*, unsigned) { return kNotSupported; }
int nvmlDeviceGetCudaComputeCapability(void*, int* major, int* minor) {
  *major = 12;
  *minor = 1;
  return kSuccess;
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) {
  *celsius = fault("throttled") ? 94 : 41;
  return kSuccess;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  if (fault("wedged")) return kResetRequired;
  *milliwatts = 4500;
  return kSuccess;
}
int nvmlDeviceGetClockInfo(void*, unsigned clock, unsigned* megahertz) {
  if (fault("wedged")) return kResetRequired;
  if (clock == kMemoryClock) return kNotSupported;
  *megahertz = is_slowed_down() ? 513 : 2400;
  return kSuccess;
}
int nvmlDeviceGetMaxClockInfo(void*, unsigned, unsigned* megahertz) {
  *megahertz = 3003;
  return kSuccess;
}
int nvmlDeviceGetPerformanceState(void*, unsigned* state) {
  *state = 0;
  return kSuccess;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  if (fault("wedged")) return kResetRequired;
  // Hardware thermal slowdown; software power cap, which an idle GB10 shows now and then; idle.
  *reasons = fault("throttled") ? 0x40 : fault("power_cap") ? 0x5 : 0x1;
  return kSuccess;
}
int nvmlDeviceGetTotalEccErrors(void*, unsigned kind, unsigned, unsigned long long* errors) {
  if (std::getenv("STAND_IN_ECC") == nullptr) return kNotSupported;
  static unsigned long long asked = 0;
  if (fault("ecc_grows")) {
    *errors = ++asked;
    return kSuccess;
  }
  *errors = fault("ecc") ? (kind == 1 ? 3 : 17) : 0;
  return kSuccess;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, void*) {
  *count = 0;
  return kSuccess;
}

}  // extern "C"
