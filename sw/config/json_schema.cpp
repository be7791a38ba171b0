#include "sw/config/json_schema.h"

#include <nlohmann/json.hpp>

#include "sw/config/keys/declarations.h"
#include "sw/config/named_files.h"
#include "sw/config/tree.h"
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
  /// @param path  the object's key path
  /// @param refer  to the keys of another section that has the same; else they are written again
  SchemaWriter(Json* object, std::string path, bool refer)
      : object_(object), path_(std::move(path)), refer_(refer) {
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
    if (!key.same_keys_as.empty() && refer_) {
      (*object_)["properties"][key.name] = {{"$ref", "#/properties/" + key.same_keys_as}};
      return;
    }
    Json schema = open_object();
    const std::string path = yaml::join_path(path_, key.name);
    SchemaWriter writer(&schema, path, refer_);
    declare_keys(writer);
    // A name stands for the keys of a file that comes with Strobe.
    if (!folder_of_names(path).empty()) schema["type"] = {"object", "string"};
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
    SchemaWriter writer(&item, yaml::join_path(path_, key.name + ".0"), refer_);
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
  std::string path_;
  bool refer_;
};

Json schema_of_runs(bool refer) {
  Json schema = open_object();
  SchemaWriter writer(&schema, "", refer);
  RunConfig defaults;
  declare(writer, defaults);
  return schema;
}

std::string document(const std::string& title, const Json& schema) {
  Json out = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  out.update(schema);
  return text::json_text(out, 2) + "\n";
}

}  // namespace

std::string json_schema() { return document("A run of Strobe", schema_of_runs(/*refer=*/true)); }

std::string json_schema(const Part& part) {
  Json schema = schema_of_runs(/*refer=*/false);
  for (const std::string& step : split_path(part.at)) {
    schema = Json(step == "0" ? schema.at("items") : schema.at("properties").at(step));
  }
  if (schema.at("type") != "array") schema["type"] = "object";
  return document(part.title, schema);
}

}  // namespace strobe::config
