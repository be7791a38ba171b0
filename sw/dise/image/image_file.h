// An assembled image as a JSON file: the writes that load it, and the handlers whose addresses are
// to be filled in.
#pragma once

#include <string>

#include "sw/dise/image/image.h"

namespace strobe::dise {

std::string to_json(const Image& image);

/// Reads the text of such a file. Throws std::runtime_error that says what is wrong. Productions
/// and registers come back without their names.
Image image_from_json(const std::string& text);

}  // namespace strobe::dise
