#pragma once

#include <functional>

// Exported by the stand-in for libcudart, for the one for libnccl: work on a stream, in order; and what
// cudaPeekAtLastError() says from now on.
extern "C" void rigproof_stand_in_enqueue(void* stream, const std::function<void()>& work);
extern "C" void rigproof_stand_in_set_last_error(int error);
