# Builds for arm64 on another Debian machine, with a cross compiler and libraries (ci/setup --arm64). qemu runs the results
# where the build itself needs them, for the manual and for the unit tests.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# mpicxx belongs to this machine's Open MPI.
set(MPI_CXX_SKIP_COMPILER TRUE)
set(MPI_SKIP_COMPILER_WRAPPER TRUE)
set(openmpi /usr/lib/aarch64-linux-gnu/openmpi)
set(MPI_CXX_HEADER_DIR ${openmpi}/include CACHE PATH "")
set(MPI_CXX_LIB_NAMES mpi CACHE STRING "")
set(MPI_mpi_LIBRARY ${openmpi}/lib/libmpi.so CACHE FILEPATH "")
