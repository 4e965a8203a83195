# Writes OUT, a header with the commit of the checkout SOURCE; leaves it alone while the commit is the same.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)  # a copy of a checkout: whoever copied it may know
  set(commit "$ENV{RIGPROOF_COMMIT}")
endif()
if(NOT commit)
  set(commit unknown)
endif()
set(text "#define RIGPROOF_COMMIT \"${commit}\"\n")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUT} "${text}")
endif()
