#include "sw/files/advice.h"

#include <cerrno>

namespace strobe::files {

std::string advice_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "make room there";
    case EFBIG:
      return "raise the limit on the size of a file ('ulimit -f unlimited')";
    case EROFS:
    case EACCES:
    case EPERM:
      return "make that place writable";
    default:
      return "check that place";
  }
}

}  // namespace strobe::files
