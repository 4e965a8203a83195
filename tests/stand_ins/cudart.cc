// A stand-in for libcudart: "GPUs" whose memory is the host's and whose streams are threads. It does what
// fixtures/gpu asks of the real one, and says what it is (rigproof_cudart_stand_in).
#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "tests/stand_ins/faults.h"
#include "tests/stand_ins/streams.h"

extern "C" const char rigproof_cudart_stand_in[] = "libcudart of Rigproof's tests";

namespace {

using stand_in::fault;

constexpr std::size_t kMemory = 512u << 20;

// The queue of a stream, and the thread that works it off.
class Stream {
 public:
  Stream() : thread_([this] { work_off(); }) {}
  ~Stream() {
    add({});
    thread_.join();
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void add(const std::function<void()>& work) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(work);
    changed_.notify_all();
  }
  [[nodiscard]] bool idle() {
    const std::lock_guard lock(mutex_);
    return queue_.empty();
  }
  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return queue_.empty(); });
  }

 private:
  void work_off() {
    for (;;) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !queue_.empty(); });
        work = queue_.front();
      }
      if (work) work();
      const std::lock_guard lock(mutex_);
      queue_.pop_front();
      changed_.notify_all();
      if (!work) return;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  std::thread thread_;
};

std::mutex memory_mutex;
std::map<void*, std::size_t> allocations;
cudaError_t last_error = cudaSuccess;
thread_local int current_device = 0;

std::size_t capacity() { return fault("memory") ? 1u << 20 : kMemory; }
std::size_t used() {
  std::size_t sum = 0;
  for (const auto& [address, size] : allocations) sum += size;
  return sum;
}

}  // namespace

void rigproof_stand_in_enqueue(void* stream, const std::function<void()>& work) {
  static_cast<Stream*>(stream)->add(work);
}
void rigproof_stand_in_set_last_error(int error) { last_error = static_cast<cudaError_t>(error); }

const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorNoKernelImageForDevice ? "cudaErrorNoKernelImageForDevice" : "cudaError";
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorNoKernelImageForDevice ? "no kernel image is available for execution on the device"
                                                  : "an error of the stand-in";
}
cudaError_t cudaPeekAtLastError() { return last_error; }
cudaError_t cudaGetDeviceCount(int* count) {
  *count = stand_in::gpus();
  return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= stand_in::gpus()) return cudaErrorInvalidDevice;
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strncpy(properties->name, "stand-in GPU", sizeof(properties->name) - 1);
  properties->major = 12;
  properties->minor = 1;
  properties->integrated = fault("integrated") ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const std::lock_guard lock(memory_mutex);
  *total = capacity();
  *free = fault("integrated") ? 1u << 20 : *total - used();
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, std::size_t size) {
  const std::lock_guard lock(memory_mutex);
  if (used() + size > capacity()) return cudaErrorMemoryAllocation;
  *memory = std::malloc(size);
  allocations[*memory] = size;
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  const std::lock_guard lock(memory_mutex);
  allocations.erase(memory);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t size) {
  std::memset(memory, value, size);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind) {
  std::memcpy(to, from, size);
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
  *stream = reinterpret_cast<cudaStream_t>(new Stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<Stream*>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (reinterpret_cast<Stream*>(stream)->idle()) return cudaSuccess;
  std::this_thread::yield();  // to the stream's thread: a machine of one CPU has no other place for it
  return cudaErrorNotReady;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  reinterpret_cast<Stream*>(stream)->drain();
  return cudaSuccess;
}
