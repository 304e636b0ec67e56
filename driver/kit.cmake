# SPDX-License-Identifier: MIT
# kit.json: how to compile and link one submission, read by driver/core/kit.cpp. Two kits in one build:
# `plain`, and `asan` with AddressSanitizer (the same one when the whole build is sanitized).
set(kit_common_args -std=c++20 -O0 -pthread)
list(TRANSFORM runtime_definitions PREPEND -D OUTPUT_VARIABLE definition_args)
list(APPEND kit_common_args ${definition_args})

# A submission finds driver/ and aio/ through the include path, but neither reference/ nor catalog/.
set(kit_include_dirs ${PROJECT_BINARY_DIR}/kit/include ${PROJECT_SOURCE_DIR}/starter)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/kit/include)
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/kit/include/driver SYMBOLIC)
set(kit_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

# "a", "b" from a;b
function(to_json_strings list_value output)
  list(TRANSFORM list_value REPLACE "(.+)" "\"\\1\"")
  list(JOIN list_value ", " joined)
  set(${output} "${joined}" PARENT_SCOPE)
endfunction()

# The precompiled header, the code of what is inline in it, and the argument lists of one kit:
# kit_<name>_{compile,pch,link}.
function(add_kit name suffix sanitize)
  set(args ${kit_common_args})
  set(link -pthread)
  if(sanitize)
    list(APPEND args -g1 -fsanitize=address -fno-omit-frame-pointer)
    list(APPEND link -fsanitize=${sanitize})
  else()
    # What costs a forked case least: a small program without symbols to look up.
    list(APPEND link -static-libstdc++ -static-libgcc
      -Wl,-z,now -Wl,--gc-sections -Wl,--strip-debug)
  endif()
  if(LLD)
    list(APPEND link --ld-path=${LLD})
  endif()

  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/kit/${name})
  set(header ${CMAKE_CURRENT_SOURCE_DIR}/runners/prelude.hpp)
  set(pch ${PROJECT_BINARY_DIR}/kit/${name}/prelude.pch)
  set(object ${PROJECT_BINARY_DIR}/kit/${name}/prelude.o)
  list(TRANSFORM kit_include_dirs PREPEND -I OUTPUT_VARIABLE include_args)
  add_custom_command(OUTPUT ${pch}
    COMMAND ${CMAKE_CXX_COMPILER} ${args} ${kit_warnings} ${include_args}
            -fpch-instantiate-templates -fpch-codegen -MD -MF ${pch}.d -MT ${pch}
            -x c++-header ${header} -o ${pch}
    DEPENDS ${header} ${CMAKE_CXX_COMPILER}
    DEPFILE ${pch}.d
    COMMENT "Precompiling the header of the ${name} kit"
    VERBATIM)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER} ${args} -c ${pch} -o ${object}
    DEPENDS ${pch}
    COMMENT "Compiling the header of the ${name} kit"
    VERBATIM)

  foreach(library runner fixtures sim protocol asio)
    list(APPEND libraries $<TARGET_FILE:${library}${suffix}>)
    list(APPEND library_targets ${library}${suffix})
  endforeach()
  add_custom_target(kit_${name} DEPENDS ${object})
  add_dependencies(kit_${name} ${library_targets})
  add_dependencies(kit kit_${name})

  list(PREPEND args ${kit_warnings})
  # Whole, because nobody calls the functions that replace the system's; and before the objects of
  # header and submission, so that of a template compiled on both sides the optimised code is kept.
  set(link -Wl,--whole-archive ${libraries} -Wl,--no-whole-archive ${object} ${link})
  # The same two lists for clang's @file, which tools/bench reads.
  list(JOIN args "\n" compile_lines)
  list(JOIN include_args "\n" include_lines)
  list(JOIN link "\n" link_lines)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/kit/${name}/compile.args
    CONTENT "${compile_lines}\n${include_lines}\n-include-pch\n${pch}\n")
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/kit/${name}/link.args CONTENT "${link_lines}\n")

  to_json_strings("${args}" compile_json)
  to_json_strings("${link}" link_json)
  set(kit_${name}_compile "${compile_json}" PARENT_SCOPE)
  set(kit_${name}_link "${link_json}" PARENT_SCOPE)
  set(kit_${name}_pch "${pch}" PARENT_SCOPE)
endfunction()

add_custom_target(kit ALL)
add_dependencies(kit confine)
if(SANITIZE)
  add_kit(plain "" ${SANITIZE})
  foreach(part compile link pch)
    set(kit_asan_${part} "${kit_plain_${part}}")
  endforeach()
else()
  set(CMAKE_CXX_CLANG_TIDY "")  # the same files a second time
  add_runtime(_asan)
  target_compile_options(asio_asan PUBLIC -fsanitize=address -fno-omit-frame-pointer)
  add_kit(plain "" "")
  add_kit(asan _asan address)
endif()

to_json_strings("${kit_include_dirs}" kit_include_dirs)
set(kit_compiler ${CMAKE_CXX_COMPILER})
file(WRITE ${PROJECT_BINARY_DIR}/kit/compiler ${kit_compiler})
set(kit_compiler_version "clang ${CMAKE_CXX_COMPILER_VERSION}")
configure_file(kit.json.in ${CMAKE_CURRENT_BINARY_DIR}/kit.json.configured @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/kit/kit.json INPUT ${CMAKE_CURRENT_BINARY_DIR}/kit.json.configured)
