# Settings that every target of ours shares.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Line tables are enough for a backtrace; full debug information doubles the build's time and size.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1") # for the sanitizers: optimized it takes half as long again to build

find_program(AKO_CCACHE ccache)
if(AKO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${AKO_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${AKO_CCACHE})
endif()
find_program(AKO_MOLD mold)
if(AKO_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(AKO_SANITIZE)
  add_compile_options(-fsanitize=${AKO_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${AKO_SANITIZE})
  if(AKO_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

# ako_configure(TARGET CXX_STANDARD): language level and warnings.
function(ako_configure target standard)
  target_compile_features(${target} PRIVATE cxx_std_${standard})
  set_target_properties(${target} PROPERTIES CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           -Wnon-virtual-dtor -Woverloaded-virtual)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # libstdc++'s own stable_sort uses what it deprecates, and clang says so.
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
  if(AKO_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Definitions for targets that use Qt.
function(ako_configure_qt target)
  ako_configure(${target} 23)
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_FOREACH
                                               QT_DISABLE_DEPRECATED_BEFORE=0x060400)
endfunction()
