#include "sw/synth/synth_files.h"

#include <nlohmann/json.hpp>

#include "sw/synth/design/block_list.h"
#include "sw/synth/library/libraries.h"
#include "sw/synth/memory/real_macros.h"
#include "sw/synth/memory/sram.h"
#include "sw/text/json_text.h"
#include "sw/yaml/document.h"

namespace strobe::synth {
namespace {

constexpr const char* kSchema = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "A file of strobe synth",
  "type": "object",
  "oneOf": [{ "required": ["blocks", "composed"] }, { "required": ["libraries"] },
            { "required": ["coefficients", "macros", "orderable"] }],
  "additionalProperties": false,
  "definitions": {
    "size": { "type": "integer", "minimum": 1, "maximum": 1048576 },
    "sizes": { "type": "array", "minItems": 1, "uniqueItems": true, "items": { "$ref": "#/definitions/size" } },
    "process": { "description": "Feature size of the process, in nanometers.",
                 "type": "integer", "minimum": 1, "maximum": 10000 }
  },
  "properties": {
    "blocks": {
      "description": "The blocks that strobe synth --all synthesizes.",
      "type": "array",
      "items": {
        "type": "object", "required": ["module"], "additionalProperties": false,
        "properties": {
          "module": { "description": "A module of rtl/.", "type": "string" },
          "parameters": { "description": "Its parameters that do not have the RTL's default.", "type": "object",
                          "additionalProperties": { "type": "integer", "minimum": 0 } }
        }
      }
    },
    "composed": { "description": "Blocks whose children are synthesized separately.",
                  "type": "array", "uniqueItems": true, "items": { "type": "string" } },
    "libraries": {
      "description": "The cell libraries that strobe synth --library knows.",
      "type": "array",
      "items": {
        "type": "object", "required": ["name", "file", "package", "feature_nm"], "additionalProperties": false,
        "properties": {
          "name": { "description": "The argument of --library.", "type": "string" },
          "file": { "description": "The Liberty file.", "type": "string" },
          "package": { "description": "The Debian package that has the file.", "type": "string" },
          "feature_nm": { "$ref": "#/definitions/process" }
        }
      }
    },
    "coefficients": {
      "description": "The coefficients of the memory model, each once.",
      "type": "array",
      "items": {
        "type": "object", "required": ["name", "value", "unit", "meaning", "source"], "additionalProperties": false,
        "properties": {
          "name": { "type": "string" }, "value": { "type": "number" }, "unit": { "type": "string" },
          "meaning": { "type": "string" }, "source": { "type": "string" }
        }
      }
    },
    "macros": {
      "description": "Published memory macros, beside which the model is put.",
      "type": "array", "minItems": 1,
      "items": {
        "type": "object", "additionalProperties": false,
        "required": ["name", "width", "depth", "ports", "feature_nm", "area_um2", "source"],
        "properties": {
          "name": { "type": "string" },
          "width": { "$ref": "#/definitions/size" }, "depth": { "$ref": "#/definitions/size" },
          "ports": { "type": "string" }, "feature_nm": { "$ref": "#/definitions/process" },
          "area_um2": { "type": "integer", "minimum": 1, "maximum": 1000000000 }, "source": { "type": "string" }
        }
      }
    },
    "orderable": {
      "description": "The widths and depths of macros from which a memory is composed, in rising order.",
      "type": "object", "required": ["widths", "depths"], "additionalProperties": false,
      "properties": { "widths": { "$ref": "#/definitions/sizes" }, "depths": { "$ref": "#/definitions/sizes" } }
    }
  }
})json";

}  // namespace

text::Diagnostics check_synth_file(const std::string& file) {
  text::Diagnostics diagnostics;
  yaml::Node root;
  if (!yaml::parse_yaml_file(file, file, nullptr, "", &root, &diagnostics)) return diagnostics;
  diagnostics.clear();  // its reader says them again
  if (root.find("blocks") != nullptr) {
    read_blocks(file, &diagnostics);
  } else if (root.find("libraries") != nullptr) {
    read_libraries(file, &diagnostics);
  } else if (root.find("coefficients") != nullptr) {
    read_sram(file, &diagnostics);
  } else {
    diagnostics.push_back(root.mark.error(
        "", "expected one of the keys blocks, libraries and coefficients, got none of them"));
  }
  return diagnostics;
}

std::string synth_schema() {
  return text::json_text(nlohmann::ordered_json::parse(kSchema), 2) + "\n";
}

}  // namespace strobe::synth
