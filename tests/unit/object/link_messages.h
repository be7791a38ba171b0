// The message of an ObjectError.
#pragma once

#include <functional>
#include <string>

#include "sw/object/file/object_file.h"

namespace strobe::object {

/// Empty when nothing is refused.
inline std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const ObjectError& error) {
    return error.what();
  }
  return "";
}

}  // namespace strobe::object
