# Writes HEADER with the commit of SOURCE_DIR; leaves it alone when nothing changed, so that nothing is
# rebuilt. Run at every build: a commit does not reconfigure.
execute_process(COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE id OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#define STROBE_GIT_ID \"${id}\"\n")
