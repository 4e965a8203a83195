#pragma once

#include <string>
#include <string_view>

namespace stand_in {

// What the stand-ins are told to get wrong: the environment variable STAND_IN_FAULT, "KIND" or "KIND@HOST".
//   version     another NCCL version
//   socket      NCCL says that it uses sockets
//   one_half    only the first rail's device is used
//   other_cables only the devices that NCCL_IB_HCA does not choose are used
//   management  everything goes by the management network (mgmt0)
//   idle_device NCCL says that it uses all rails' devices by RDMA, and one of them carries nothing
//   lying_log   NCCL says that it uses all rails' devices by RDMA, and everything goes by mgmt0
//   corrupt     a bit of what arrives is flipped
//   corrupt_repeated  bits are flipped where the same arrives as the last time: in the blocks that are timed alone
//   corrupt_small_buffer  a bit is flipped where NCCL_BUFFSIZE is 1 MiB
//   die, hang   in the middle of the third operation
//   die_gpu_5   the rank of a node's sixth GPU dies there; any other number likewise
//   slow_size   all_reduces of 1 MiB take 400 ms longer, and no others
//   untuned     an operation takes 10 ms longer for each channel, 60 ms for each slice of a channel's buffer, and 100 ms by
//               the protocol Simple, 50 by LL128
//   lost_slots  the 501st operation of a communicator never returns, as of an NCCL that loses slots of its proxy
//   no_code     there is no code for this GPU
//   memory      the GPU has 1 MiB
//   integrated  the GPU's memory is the host's, and CUDA calls next to none of it free, as if the page cache had it
//   late_thread the thread that a non-blocking communicator starts for an operation takes 100 ms to begin
//   no_gpu      there is no GPU
//   fewer       there is one GPU fewer than STAND_IN_GPUS says
//   hidden      NVML has the GPU, and CUDA may use none
//   driver      NVML tells of an older driver
//   throttled   the GPU is hot and held back
//   throttles   the GPU reaches its clock for a moment of a load, and is held back for the rest of it
//   power_cap   the GPU is idle and says that software caps its power: no fault
//   wedged      the GPU wants a reset: it tells neither clock nor power nor what holds it back
//   ecc         its memory, whose mistakes it counts (STAND_IN_ECC), has made some
//   ecc_grows   such a memory makes mistakes all the time
//   wrong       an element of a product of matrices is
//   slow        copies in the GPU's memory take seconds
//   second_slow there are two GPUs, and copies in the memory of the second take seconds
//   second_hidden  there are two GPUs, and CUDA may use the first alone
//   slow_gemv   products of a matrix and a vector do, and nothing else
//   slow_gemm   products of two matrices do, and nothing else
// Where it is told to, the file that STAND_IN_FIRED names exists from the first time that this is asked and true.
[[nodiscard]] bool fault(std::string_view kind);

// The GPUs that CUDA and NVML have: as many as the environment variable STAND_IN_GPUS says (1), less those of a fault.
[[nodiscard]] int gpus();

// A variable of NCCL's as it was when this process first asked for it, which is how NCCL reads them; "": not set.
[[nodiscard]] std::string variable(const std::string& name);

// "127.0.0.1" and the like of this node's netdev; empty when it has none.
[[nodiscard]] std::string address_of(const std::string& netdev);

}  // namespace stand_in
