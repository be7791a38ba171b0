// An assembled image as a file: JSON, the writes that load it and the handlers to fill in.
#pragma once

#include <string>

#include "sw/dise/image.h"

namespace strobe::dise {

std::string to_json(const Image& image);

/// Throws std::runtime_error with what is wrong. Productions and registers come back without their
/// names.
Image image_from_json(const std::string& text);

}  // namespace strobe::dise
