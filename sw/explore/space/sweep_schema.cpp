#include "sw/explore/space/sweep_schema.h"

#include <nlohmann/json.hpp>

#include "sw/text/json_text.h"

namespace strobe::explore {
namespace {

constexpr const char* kSweepSchema = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "A sweep of Strobe",
  "type": "object",
  "required": ["base"],
  "additionalProperties": false,
  "definitions": {
    "key": { "type": "string", "pattern": "^[a-z0-9_]+(\\.[a-z0-9_]+)*$" },
    "range": {
      "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
      "properties": {
        "pow2": { "description": "The powers of two from the first to the last.", "type": "array",
                  "items": { "type": "integer", "minimum": 1 }, "minItems": 2, "maxItems": 2 },
        "linear": { "description": "The values from the first to the last, at this step.", "type": "array",
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
    "base": { "description": "The run file whose keys the sweep varies. A relative path is relative to the file that names it.", "type": "string" },
    "workloads": {
      "description": "The programs, each of which replaces the run file's workload: a file, or a map that may include one. Their names tell them apart.",
      "type": "array", "minItems": 1,
      "items": { "oneOf": [{ "type": "string" },
                           { "type": "object", "properties": { "name": { "type": "string" },
                                                               "include": { "type": "string" } } }] }
    },
    "seeds": {
      "description": "The seeds, each of which replaces the run file's seed: a list or a range.",
      "oneOf": [{ "type": "array", "minItems": 1, "uniqueItems": true,
                  "items": { "type": "integer", "minimum": 0 } },
                { "$ref": "#/definitions/range" }]
    },
    "grid": { "description": "Keys of the run file and their values, of which every combination is a design.",
              "$ref": "#/definitions/axes" },
    "zip": { "description": "Keys of the run file that change together; each has the same number of values.",
             "$ref": "#/definitions/axes" },
    "list": { "description": "A list of designs. A key that an entry leaves out keeps the run file's value. A name, in every entry or in none, stands for the keys in tables.",
              "type": "array", "minItems": 1,
              "items": { "type": "object", "propertyNames": { "$ref": "#/definitions/key" } } },
    "where": { "description": "Expressions over axes and other keys of the run file; only designs that satisfy them exist.",
               "$ref": "#/definitions/expressions" },
    "objectives": {
      "description": "Keys of result.json, including its counters, and of the synthesis, each to minimize or maximize.",
      "type": "array",
      "items": { "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
                 "properties": { "min": { "type": "string" }, "max": { "type": "string" } } }
    },
    "constraints": { "description": "Expressions over keys of results; a design that violates one is not on the front.",
                     "$ref": "#/definitions/expressions" },
    "question": {
      "description": "What the sweep is asked, and the query over its results that answers it. Its expressions are over axes and keys of results, and min(KEY), max(KEY) and mean(KEY) over programs and seeds.",
      "type": "object", "required": ["ask", "best", "answer"], "additionalProperties": false,
      "properties": {
        "ask": { "description": "The question, one sentence.", "type": "string" },
        "where": { "description": "Expressions; a design qualifies when all hold.", "$ref": "#/definitions/expressions" },
        "best": { "description": "Of the designs that qualify, the one with the least or the greatest value answers.",
                  "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
                  "properties": { "min": { "$ref": "#/definitions/expression" }, "max": { "$ref": "#/definitions/expression" } } },
        "answer": { "description": "The answer, one sentence; the value of an expression replaces it and its {braces}.", "type": "string" }
      }
    },
    "search": {
      "description": "The method that chooses the designs to run.",
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
        "runs": { "description": "The most runs that start without asking (--yes).", "default": 1000, "$ref": "#/definitions/count" },
        "seconds": { "description": "The most time that one run may take, in seconds.", "$ref": "#/definitions/count" },
        "memory": { "description": "The most memory that one run may use, in bytes.", "type": "integer", "minimum": 16777216 }
      }
    },
    "synthesis": {
      "description": "The cell library and the memory macros, as for --library and --macros of strobe synth.", "type": "object", "additionalProperties": false,
      "properties": { "library": { "type": "string", "default": "osu018" }, "macros": { "type": "string" } }
    },
    "launcher": {
      "type": "object", "additionalProperties": false,
      "properties": {
        "command": { "description": "The command line of --launcher command; {command} in it stands for the run's command.", "type": "string", "pattern": "\\{command\\}" },
        "sbatch": { "description": "Additional options of sbatch.", "type": "array", "items": { "type": "string" } }
      }
    }
  }
})json";

}  // namespace

std::string sweep_schema() {
  return text::json_text(nlohmann::ordered_json::parse(kSweepSchema), 2) + "\n";
}

}  // namespace strobe::explore
