# Run paths for libraries outside the dynamic loader's own folders: only folders that root alone can change. A program that root
# or another user starts must not run code of the person who built it. The other folders are data of the build: `rigproof`
# passes them in LD_LIBRARY_PATH to its suites, if they belong to the user who runs it
# (framework/process/library_folders.h).

# True if root alone can change the folder's contents. CMake's own `file` shows no owners.
function(rigproof_is_roots result folder)
  execute_process(RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET COMMAND sh -c [[
    for path in "$1" "$(readlink -f -- "$1")"; do
      while [ -n "$path" ]; do
        [ "$(stat -c %u -- "$path")" = 0 ] || exit 1
        [ -h "$path" ] || [ -z "$(find "$path" -maxdepth 0 -perm /022)" ] || exit 1
        path=${path%/*}
      done
    done]] sh ${folder})
  if(failed)
    set(${result} FALSE PARENT_SCOPE)
  else()
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Sorts the folders of these libraries (files, or imported targets) into the variables named by `roots` and `others`.
function(rigproof_library_folders roots others)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library})
      get_target_property(library ${library} LOCATION)
    endif()
    if(NOT IS_ABSOLUTE "${library}" OR NOT library MATCHES "\\.so")
      continue()
    endif()
    get_filename_component(folder ${library} DIRECTORY)
    if(folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES OR folder IN_LIST CMAKE_PLATFORM_IMPLICIT_LINK_DIRECTORIES)
      continue()
    endif()
    rigproof_is_roots(is_roots ${folder})
    if(is_roots)
      list(APPEND ${roots} ${folder})
    else()
      list(APPEND ${others} ${folder})
    endif()
  endforeach()
  foreach(list IN ITEMS ${roots} ${others})
    list(REMOVE_DUPLICATES ${list})
    set(${list} "${${list}}" PARENT_SCOPE)
  endforeach()
endfunction()
