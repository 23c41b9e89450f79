# build/assize-shim: the kernel behind the testee protocol.
add_executable(assize-shim shim/channel.cpp shim/main.cpp shim/session.cpp)
target_compile_options(assize-shim PRIVATE -Wall -Wextra -Wconversion)
target_link_libraries(assize-shim PRIVATE assize_testee)
set_target_properties(assize-shim PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
