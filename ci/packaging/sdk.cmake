# librigproof-dev: files to build suites outside this tree. Headers: those listed here and those that they include.
set(RIGPROOF_SDK_HEADERS
    framework/runner/rig_test.h
    fixtures/cables/cable_pull.h fixtures/collective/measure.h
    fixtures/counters/port_sampler.h fixtures/counters/traffic.h
    fixtures/facts/document.h fixtures/facts/node_facts.h fixtures/facts/read_facts.h
    fixtures/flows/flows.h fixtures/flows/probe_path.h
    fixtures/host/cpu_use.h
    fixtures/net/netdev.h fixtures/net/socket.h)
set(RIGPROOF_SDK_LIBRARIES rigproof-suite-main rigproof-flows rigproof-host rigproof-cables rigproof-collective)
set(RIGPROOF_SDK_VERBS)
if(TARGET rigproof-rdma_flows)  # libibverbs was found
  list(APPEND RIGPROOF_SDK_HEADERS fixtures/rdma_flows/rdma_flows.h)
  list(APPEND RIGPROOF_SDK_LIBRARIES rigproof-rdma_flows)
  set(RIGPROOF_SDK_VERBS "ibverbs;")
endif()
if(NOT TARGET rigproof-suite-main)
  return()  # no MPI, no suites
endif()

# Headers of this tree that `headers` include, directly or not.
function(rigproof_with_includes result)
  set(waiting ${ARGN})
  set(found)
  while(waiting)
    list(POP_FRONT waiting header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${header} includes REGEX "^#include \"")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" include "${include}")
      list(APPEND waiting ${include})
    endforeach()
  endwhile()
  list(SORT found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

rigproof_with_includes(headers ${RIGPROOF_SDK_HEADERS})
foreach(header IN LISTS headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rigproof/${folder}
          COMPONENT sdk)
endforeach()

# Libraries of this tree that `targets` are linked with, including `targets`.
function(rigproof_with_libraries result)
  set(waiting ${ARGN})
  set(found)
  while(waiting)
    list(POP_FRONT waiting library)
    if(library IN_LIST found)
      continue()
    endif()
    list(APPEND found ${library})
    get_target_property(linked ${library} LINK_LIBRARIES)
    list(FILTER linked INCLUDE REGEX "^rigproof-")
    list(REMOVE_ITEM linked rigproof-options)
    list(APPEND waiting ${linked})
  endwhile()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# One archive of the objects that this tree's suites are linked with, including main().
rigproof_with_libraries(libraries ${RIGPROOF_SDK_LIBRARIES})
set(objects)
foreach(library IN LISTS libraries)
  list(APPEND objects $<TARGET_OBJECTS:${library}>)
endforeach()
add_library(rigproof-sdk STATIC ${objects})
add_dependencies(programs rigproof-sdk)
set_target_properties(rigproof-sdk PROPERTIES OUTPUT_NAME rigproof LINKER_LANGUAGE CXX)
if(RIGPROOF_PACKAGE)
  add_custom_command(TARGET rigproof-sdk POST_BUILD VERBATIM
                     COMMAND ${CMAKE_STRIP} --strip-debug --enable-deterministic-archives $<TARGET_FILE:rigproof-sdk>)
endif()
set(sdk_libdir ${CMAKE_INSTALL_LIBDIR})
install(TARGETS rigproof-sdk ARCHIVE DESTINATION ${sdk_libdir} COMPONENT sdk)

include(CMakePackageConfigHelpers)
set(sdk_config ${sdk_libdir}/cmake/Rigproof)
configure_package_config_file(RigproofConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/RigproofConfig.cmake
                              INSTALL_DESTINATION ${sdk_config} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR sdk_libdir)
# Before 1.0 a minor version may change what a suite is compiled against.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/RigproofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/RigproofConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/RigproofConfigVersion.cmake
        DESTINATION ${sdk_config} COMPONENT sdk)

# The example: the suite in suites/README.md, and a suite with its own fixture.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(example ${CMAKE_CURRENT_BINARY_DIR}/example_suite)
set(page ${PROJECT_SOURCE_DIR}/suites/README.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page} example_suite/disk.toml)
file(MAKE_DIRECTORY ${example}/suites)
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/suites/extract_example.py ${page}
                        ${example}/suites/full_size.cc ${example}/latency.toml COMMAND_ERROR_IS_FATAL ANY)
file(READ ${example}/latency.toml latency)
file(READ example_suite/disk.toml disk)
file(WRITE ${example}/limits.toml "#:schema /usr/share/rigproof/schemas/thresholds.schema.json\n\n${latency}\n${disk}")
set(examples_dir share/doc/librigproof-dev/examples)
install(DIRECTORY example_suite/ DESTINATION ${examples_dir} COMPONENT sdk PATTERN disk.toml EXCLUDE)
install(FILES ${example}/suites/full_size.cc DESTINATION ${examples_dir}/suites COMPONENT sdk)
install(FILES ${example}/limits.toml DESTINATION ${examples_dir} COMPONENT sdk)
