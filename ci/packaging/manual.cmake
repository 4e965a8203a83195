# The manual: pages of the commands from their --help, pages of the files from the README of their folder. Pages show the
# date of SOURCE_DATE_EPOCH, if it is set, else of the configuration.
set(man ${CMAKE_CURRENT_BINARY_DIR}/man)
string(TIMESTAMP day %Y-%m-%d UTC)
set(pages rig "the description of a rig" thresholds "the limits of a rig" journal "the record of a run")
set(sources framework/rig thresholds framework/record)
set(commands)
foreach(source IN LISTS sources)
  list(POP_FRONT pages page summary)
  list(APPEND commands COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/manual/markdown_to_man
       ${PROJECT_SOURCE_DIR}/${source}/README.md rigproof-${page} ${PROJECT_VERSION} ${day} ${summary}
       > ${man}/man5/rigproof-${page}.5)
  list(APPEND markdown ${PROJECT_SOURCE_DIR}/${source}/README.md)
endforeach()
# `rigproof manual` asks the suites for their metrics. A program of another machine starts none: the emulator does.
set(describe)
set(described)
if(CMAKE_CROSSCOMPILING OR NOT suites)
  set(described --described)
  foreach(suite IN LISTS suites)
    list(APPEND describe COMMAND ${suite} --describe > ${CMAKE_CURRENT_BINARY_DIR}/${suite}.json)
    list(APPEND described ${CMAKE_CURRENT_BINARY_DIR}/${suite}.json)
  endforeach()
endif()
add_custom_command(OUTPUT ${man}.written DEPENDS rigproof ${suites} manual/markdown_to_man ${markdown} VERBATIM
                   ${describe}
                   COMMAND ${CMAKE_COMMAND} -E rm -rf ${man}
                   COMMAND ${CMAKE_COMMAND} -E make_directory ${man}/man5
                   COMMAND rigproof manual ${man} ${described} ${commands}
                   COMMAND gzip --best --no-name --recursive ${man}
                   COMMAND ${CMAKE_COMMAND} -E touch ${man}.written)
add_custom_target(manual ALL DEPENDS ${man}.written)
add_dependencies(programs manual)
install(DIRECTORY ${man} DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT programs)
