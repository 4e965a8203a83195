# Packages of a build with RIGPROOF_PACKAGE. Each package installs on Debian 12, Debian 13 and Ubuntu 24.04. Libraries whose
# names or interfaces differ between these are in lib/rigproof.
set(CPACK_PACKAGE_CONTACT "Rigproof's maintainers <rigproof@packages.invalid>")
foreach(name IN ITEMS fmt yaml-cpp pugixml tomlplusplus benchmark)
  find_library(RIGPROOF_CARRIED_${name} NAMES lib${name}.so REQUIRED)
  mark_as_advanced(RIGPROOF_CARRIED_${name})
  file(REAL_PATH ${RIGPROOF_CARRIED_${name}} library)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  if(NOT headers MATCHES "SONAME +([^ \n]+)")
    message(FATAL_ERROR "${library} has no soname: it cannot be carried in the package")
  endif()
  list(APPEND carried ${library})
  install(FILES ${library} DESTINATION lib/rigproof RENAME ${CMAKE_MATCH_1} COMPONENT programs)
endforeach()

set_target_properties(rigproof PROPERTIES INSTALL_RPATH $ORIGIN/../lib/rigproof)
set_target_properties(${suites} PROPERTIES INSTALL_RPATH $ORIGIN/../../lib/rigproof)
set_target_properties(rigproof ${suites} PROPERTIES INSTALL_RPATH_USE_LINK_PATH OFF BUILD_WITH_INSTALL_RPATH ON)
set(packed programs sdk)
get_property(nccl_suites GLOBAL PROPERTY RIGPROOF_NCCL_SUITES)
if(nccl_suites)
  list(APPEND packed nccl)
  install(TARGETS ${nccl_suites} RUNTIME DESTINATION ${nccl_dir} COMPONENT nccl)
  set_target_properties(${nccl_suites} rigproof-nccl-engine PROPERTIES
    INSTALL_RPATH "$ORIGIN/../../../lib/rigproof;/usr/local/cuda/lib64;/usr/local/cuda/lib"
    INSTALL_RPATH_USE_LINK_PATH OFF BUILD_WITH_INSTALL_RPATH ON)
endif()

add_custom_target(packed DEPENDS programs ${nccl_suites})

# --- documents that Debian requires for each package
foreach(package IN ITEMS rigproof rigproof-nccl librigproof-dev)
  set(component ${package})
  string(REPLACE "librigproof-dev" sdk component "${component}")
  string(REPLACE "rigproof-nccl" nccl component "${component}")
  string(REGEX REPLACE "^rigproof$" programs component "${component}")
  install(FILES copyright ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz DESTINATION share/doc/${package}
          COMPONENT ${component})
endforeach()
execute_process(COMMAND date --utc --rfc-email --date=@$ENV{SOURCE_DATE_EPOCH} OUTPUT_VARIABLE date
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
# This version's section of CHANGELOG.md, which ci/release writes.
set(changes)
if(EXISTS ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
  execute_process(COMMAND sed -n "/^## ${PROJECT_VERSION} /,/^## /s/^- /  * /p" ${PROJECT_SOURCE_DIR}/CHANGELOG.md
                  OUTPUT_VARIABLE changes COMMAND_ERROR_IS_FATAL ANY)
endif()
if(NOT changes)
  set(changes "  * Build of ${PROJECT_VERSION}.\n")
endif()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/changelog "rigproof (${PROJECT_VERSION}) unstable; urgency=medium

${changes}
 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip --best --no-name --force ${CMAKE_CURRENT_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES lintian/rigproof-nccl DESTINATION share/lintian/overrides COMPONENT nccl)

# --- CPack
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rigproof)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL ${packed})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)  # ci/package calls dpkg-shlibdeps, and adds other distributions' names
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/before_packing.cmake)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME rigproof)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
"qualifies a hardware rig the way GoogleTest qualifies code
Every expectation of nodes, network cards, cables and a switch is a test case
that really measures, every limit is a line in a data file with its source,
and every run ends in a verdict, an exit code, a JUnit file and a report that
a person can sign. A model rig of network namespaces shows it without
hardware: rigproof model run.")

set(CPACK_DEBIAN_NCCL_PACKAGE_NAME rigproof-nccl)
set(CPACK_DEBIAN_NCCL_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_NCCL_DESCRIPTION
"qualifies a hardware rig: collectives by NCCL
The suite of collectives with NCCL between GPUs. It replaces the suite of the
package rigproof, which uses MPI alone. It needs an NVIDIA driver, the CUDA
runtime and NCCL (libnccl.so.2), from NVIDIA's packages or a build of your
own: in the system's folders, in /usr/local/cuda, or in LD_LIBRARY_PATH.")

set(CPACK_DEBIAN_SDK_PACKAGE_NAME librigproof-dev)
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_SDK_DESCRIPTION
"qualifies a hardware rig: build suites of your own
Headers, a static library and a CMake package (find_package(Rigproof),
rigproof_add_suite) to build test suites outside of Rigproof's own tree.")

set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/cpack_options.cmake)
set(architecture amd64)  # Debian's name
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(architecture arm64)
endif()
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${architecture})
list(JOIN packed " " components)
list(JOIN carried " " carried)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/facts "VERSION=${PROJECT_VERSION}\nARCHITECTURE=${architecture}\n"
     "COMPONENTS=${components}\nCARRIED=${carried}\n")
include(CPack)
