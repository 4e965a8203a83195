// A stand-in for cuBLAS: the one multiplication of matrices that is asked of it, which are of equal elements each.
#include <unistd.h>

#include <cstddef>

#include "tests/stand_ins/faults.h"

extern "C" {

int cublasCreate_v2(void** handle) {
  *handle = new char;
  return 0;
}
int cublasDestroy_v2(void* handle) {
  delete static_cast<char*>(handle);
  return 0;
}

int cublasSgemm_v2(void*, int, int, int rows, int columns, int inner, const float* alpha, const float* left,
                   int, const float* right, int, const float*, float* product, int) {
  const float element = *alpha * *left * *right * static_cast<float>(inner);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); ++i)
    product[i] = element;
  if (stand_in::fault("wrong")) product[7] += 1;
  ::usleep(stand_in::fault("slow_gemm") ? 999000 : 2000);
  return 0;
}

// Reads the matrix once, as the real one must.
int cublasSgemv_v2(void*, int, int rows, int columns, const float*, const float* matrix, int, const float*,
                   int, const float*, float* product, int) {
  const std::size_t elements = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  float sum = 0;
  for (std::size_t i = 0; i < elements; i += 16) sum += matrix[i];  // each cache line
  product[0] = sum;
  if (stand_in::fault("slow_gemv")) ::sleep(2);
  return 0;
}

}  // extern "C"
