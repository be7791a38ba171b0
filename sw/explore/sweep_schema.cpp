#include "sw/explore/sweep_schema.h"

#include <nlohmann/json.hpp>

#include "sw/text/json_text.h"

namespace strobe::explore {
namespace {

constexpr const char* kSweepSchema = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "A sweep of strobe",
  "type": "object",
  "required": ["base"],
  "additionalProperties": false,
  "definitions": {
    "key": { "type": "string", "pattern": "^[a-z0-9_]+(\\.[a-z0-9_]+)*$" },
    "range": {
      "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
      "properties": {
        "pow2": { "description": "First and last, both powers of two.", "type": "array",
                  "items": { "type": "integer", "minimum": 1 }, "minItems": 2, "maxItems": 2 },
        "linear": { "description": "First, last and step.", "type": "array",
                    "items": { "type": "integer", "minimum": 0 }, "minItems": 3, "maxItems": 3 }
      }
    },
    "values": {
      "oneOf": [{ "type": "array", "minItems": 1 }, { "$ref": "#/definitions/range" }]
    },
    "axes": {
      "type": "object", "propertyNames": { "$ref": "#/definitions/key" },
      "additionalProperties": { "$ref": "#/definitions/values" }
    },
    "expression": { "type": ["string", "boolean", "number"] },
    "expressions": {
      "oneOf": [{ "$ref": "#/definitions/expression" },
                { "type": "array", "items": { "$ref": "#/definitions/expression" } }]
    },
    "count": { "type": "integer", "minimum": 1 }
  },
  "properties": {
    "base": { "description": "The run file; paths are relative to the file that names them.", "type": "string" },
    "workloads": {
      "description": "Each replaces the run file's workload: a file, or a map that may include one; name tells them apart.",
      "type": "array", "minItems": 1,
      "items": { "oneOf": [{ "type": "string" },
                           { "type": "object", "properties": { "name": { "type": "string" },
                                                               "include": { "type": "string" } } }] }
    },
    "seeds": {
      "description": "Each replaces seed: a list or a range.",
      "oneOf": [{ "type": "array", "minItems": 1, "uniqueItems": true,
                  "items": { "type": "integer", "minimum": 0 } },
                { "$ref": "#/definitions/range" }]
    },
    "grid": { "description": "Keys of the run file and their values: every combination.",
              "$ref": "#/definitions/axes" },
    "zip": { "description": "Keys that change together: as many values each.",
             "$ref": "#/definitions/axes" },
    "list": { "description": "Each entry as it stands; a key one leaves out is the run file's.",
              "type": "array", "minItems": 1,
              "items": { "type": "object", "propertyNames": { "$ref": "#/definitions/key" } } },
    "where": { "description": "Which designs there are: expressions over axes and other keys of the run file.",
               "$ref": "#/definitions/expressions" },
    "objectives": {
      "description": "Keys of result.json, the counters and synthesis included.",
      "type": "array",
      "items": { "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
                 "properties": { "min": { "type": "string" }, "max": { "type": "string" } } }
    },
    "constraints": { "description": "Expressions over keys of results: a design that breaks one is not on the front.",
                     "$ref": "#/definitions/expressions" },
    "search": {
      "description": "How the designs are found.",
      "oneOf": [
        { "enum": ["exhaustive"] },
        { "type": "object", "required": ["kind"], "additionalProperties": false,
          "properties": { "kind": { "enum": ["exhaustive"] } } },
        { "type": "object", "required": ["kind", "points"], "additionalProperties": false,
          "properties": { "kind": { "enum": ["random"] }, "points": { "$ref": "#/definitions/count" },
                          "seed": { "type": "integer", "minimum": 0, "default": 1 } } },
        { "type": "object", "required": ["kind", "points", "budget", "from", "to"], "additionalProperties": false,
          "properties": { "kind": { "enum": ["successive-halving"] }, "points": { "$ref": "#/definitions/count" },
                          "budget": { "$ref": "#/definitions/key" }, "from": { "$ref": "#/definitions/count" },
                          "to": { "$ref": "#/definitions/count" },
                          "eta": { "type": "integer", "minimum": 2, "maximum": 100, "default": 3 },
                          "seed": { "type": "integer", "minimum": 0, "default": 1 } } },
        { "enum": ["nsga2"] },
        { "type": "object", "required": ["kind"], "additionalProperties": false,
          "properties": { "kind": { "enum": ["nsga2"] },
                          "population": { "type": "integer", "minimum": 8, "multipleOf": 4, "default": 24 },
                          "generations": { "type": "integer", "minimum": 1, "default": 10 },
                          "seed": { "type": "integer", "minimum": 0, "default": 1 } } }
      ]
    },
    "limits": {
      "type": "object", "additionalProperties": false,
      "properties": {
        "runs": { "description": "More are started only when told so.", "default": 1000, "$ref": "#/definitions/count" },
        "seconds": { "description": "Of one run.", "$ref": "#/definitions/count" },
        "memory": { "description": "Bytes of one run.", "type": "integer", "minimum": 16777216 }
      }
    },
    "synthesis": {
      "description": "As strobe synth takes them.", "type": "object", "additionalProperties": false,
      "properties": { "library": { "type": "string", "default": "osu018" }, "macros": { "type": "string" } }
    },
    "launcher": {
      "type": "object", "additionalProperties": false,
      "properties": {
        "command": { "description": "The template of --launcher command.", "type": "string", "pattern": "\\{command\\}" },
        "sbatch": { "description": "More options for Slurm.", "type": "array", "items": { "type": "string" } }
      }
    }
  }
})json";

}  // namespace

std::string sweep_schema() {
  return text::json_text(nlohmann::ordered_json::parse(kSweepSchema), 2) + "\n";
}

}  // namespace strobe::explore
