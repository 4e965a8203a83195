// A stand-in for cuBLAS: one multiplication of matrices, on the CPU.
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

// Column by column, neither matrix transposed.
int cublasSgemm_v2(void*, int, int, int rows, int columns, int inner, const float* alpha, const float* left,
                   int left_step, const float* right, int right_step, const float* beta, float* product,
                   int step) {
  const auto at = [](int row, int column, int stride) {
    return static_cast<std::size_t>(column) * static_cast<std::size_t>(stride) +
           static_cast<std::size_t>(row);
  };
  for (int column = 0; column < columns; ++column) {
    float* into = product + at(0, column, step);
    for (int row = 0; row < rows; ++row) into[row] *= *beta;
    for (int k = 0; k < inner; ++k) {
      const float factor = *alpha * right[at(k, column, right_step)];
      const float* from = left + at(0, k, left_step);
      for (int row = 0; row < rows; ++row) into[row] += factor * from[row];
    }
  }
  if (stand_in::fault("wrong")) product[7] += 1;
  return 0;
}

}  // extern "C"
