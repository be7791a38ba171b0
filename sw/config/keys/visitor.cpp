#include "sw/config/keys/visitor.h"

namespace strobe::config {

Key Key::must() const {
  Key key = *this;
  key.required = true;
  return key;
}

Key Key::rtl_parameter() const {
  Key key = *this;
  key.rtl = true;
  return key;
}

Key Key::only(bool applies_now, const std::string& when) const {
  Key key = *this;
  key.applies = applies_now;
  key.applies_when = when;
  return key;
}

Key Key::like(const std::string& section) const {
  Key key = *this;
  key.same_keys_as = section;
  return key;
}

}  // namespace strobe::config
