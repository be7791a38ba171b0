#include "sw/config/json_schema.h"

#include <nlohmann/json.hpp>

#include "sw/config/keys/declarations.h"
#include "sw/text/json_text.h"

namespace strobe::config {
namespace {

using Json = nlohmann::ordered_json;

/// An object whose keys are declared afterwards.
Json open_object() {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
}

class SchemaWriter : public Visitor {
 public:
  explicit SchemaWriter(Json* object) : object_(object) {
    // Any map may take its other keys from a file.
    (*object_)["properties"]["include"] = {
        {"type", "string"},
        {"description", "A YAML file whose keys are inserted here; keys written beside it win."}};
  }

  void real(const Key& key, double& value, double minimum, double maximum) override {
    add(key, {{"type", "number"}, {"minimum", minimum}, {"maximum", maximum}, {"default", value}});
  }
  void flag(const Key& key, bool& value) override {
    add(key, {{"type", "boolean"}, {"default", value}});
  }
  void text(const Key& key, std::string& value, TextUse use) override {
    Json schema = {{"type", "string"}};
    if (use == TextUse::kTextOrNull || use == TextUse::kPathOrNull) {
      schema["type"] = {"string", "null"};
      schema["default"] = nullptr;
    } else if (!key.required) {
      schema["default"] = value;
    }
    add(key, schema);
  }
  void texts(const Key& key, std::vector<std::string>& values, TextUse /*use*/,
             const Names& names) override {
    Json item = {{"type", "string"}};
    if (!names.empty()) item["enum"] = names;
    add(key, {{"type", "array"}, {"items", item}, {"default", values}});
  }
  void interval(const Key& key, uint64_t& lowest, uint64_t& highest) override {
    add(key, {{"type", "array"},
              {"items", {{"type", "integer"}, {"minimum", 0}}},
              {"minItems", 2},
              {"maxItems", 2},
              {"default", {lowest, highest}}});
  }
  void section(const Key& key, const std::function<void(Visitor&)>& declare_keys) override {
    if (!key.same_keys_as.empty()) {
      (*object_)["properties"][key.name] = {{"$ref", "#/properties/" + key.same_keys_as}};
      return;
    }
    Json schema = open_object();
    SchemaWriter writer(&schema);
    declare_keys(writer);
    add(key, schema);
  }

 protected:
  void visit_integer(const Key& key, uint64_t& value, Range range) override {
    add(key, {{"type", "integer"},
              {"minimum", range.minimum},
              {"maximum", range.maximum},
              {"default", value}});
  }
  void visit_choice(const Key& key, std::string& value, const Names& names) override {
    Json schema = {{"enum", names}};
    if (!key.required) schema["default"] = value;
    add(key, schema);
  }
  void visit_list(const Key& key, size_t /*size*/, const std::function<void(size_t)>& resize,
                  const std::function<void(Visitor&, size_t)>& declare_item) override {
    resize(1);
    Json item = open_object();
    SchemaWriter writer(&item);
    declare_item(writer, 0);
    resize(0);
    add(key, {{"type", "array"}, {"items", item}, {"default", Json::array()}});
  }

 private:
  void add(const Key& key, Json schema) {
    schema["description"] =
        key.unit.empty() ? key.description : key.description + " [" + key.unit + "]";
    (*object_)["properties"][key.name] = std::move(schema);
  }

  Json* object_;
};

}  // namespace

std::string json_schema() {
  Json schema = open_object();
  SchemaWriter writer(&schema);
  RunConfig defaults;
  declare(writer, defaults);
  Json out = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "A run of Strobe"}};
  out.update(schema);
  return text::json_text(out, 2) + "\n";
}

}  // namespace strobe::config
