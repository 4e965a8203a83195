// A stand-in for as much of libcudart as the GPU canaries use, for builds without CUDA's headers: a "GPU" whose memory
// is the host's. cudart.cc is the larger one.
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/stand_ins/faults.h"

extern "C" const char rigproof_cudart_stand_in[] = "libcudart of Rigproof's tests";

extern "C" {

namespace {

using stand_in::fault;

int device = 0;

constexpr int kSuccess = 0, kMemoryAllocation = 2, kNoDevice = 100, kOnDevice = 3;

}  // namespace

const char* cudaGetErrorString(int error) {
  return error == kNoDevice ? "no CUDA-capable device is detected" : "an error of the stand-in";
}
int cudaGetDeviceCount(int* count) {
  *count = fault("no_gpu") || fault("hidden") ? 0 : fault("second_slow") ? 2 : 1;
  return *count == 0 ? kNoDevice : kSuccess;
}
int cudaSetDevice(int wanted) {
  device = wanted;
  return kSuccess;
}
int cudaDeviceGetPCIBusId(char* text, int size, int of) {
  std::snprintf(text, static_cast<std::size_t>(size), "000F:%02d:00.0", of + 1);
  return kSuccess;
}
int cudaMalloc(void** memory, std::size_t size) {
  *memory = fault("memory") ? nullptr : std::malloc(size);
  return *memory == nullptr ? kMemoryAllocation : kSuccess;
}
int cudaFree(void* memory) {
  std::free(memory);
  return kSuccess;
}
int cudaMemcpy(void* to, const void* from, std::size_t size, int direction) {
  std::memcpy(to, from, size);
  if (direction == kOnDevice && (fault("slow") || (device == 1 && fault("second_slow")))) ::sleep(3);
  return kSuccess;
}
int cudaDeviceSynchronize() { return kSuccess; }

}  // extern "C"
