// Figures of a result as text for people.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace strobe::result {

/// 1234567 as "1,234,567".
std::string grouped(uint64_t number);

/// At most seven columns: "99,999", "123.5k", "1.235M".
std::string compact(uint64_t number);

/// A fraction as "12.34 %"; null as "-".
std::string percent(const nlohmann::json& fraction);

/// The count or the text, as text::one_line() gives it, that an object of a result has under a key.
/// Throw nlohmann::json::exception where there is none.
uint64_t whole(const nlohmann::json& object, const char* key);
std::string text(const nlohmann::json& object, const char* key);

}  // namespace strobe::result
