#include "sw/explore/space/merge.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace strobe::explore {

using yaml::Entry;
using yaml::Node;

namespace {

Node scalar_node(const std::string& text, const yaml::Mark& mark) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.mark = mark;
  node.scalar = text;
  return node;
}

void put(const std::string& key, const Node& value, Node* map) {
  if (Entry* entry = map->find(key)) {
    entry->value = value;
  } else {
    map->entries.push_back({key, map->mark, value});
  }
}

/// The list of selectors; null when there is none or it is empty.
const Node* selectors_of(const Node& profiler) {
  const Entry* entry = profiler.find("selectors");
  return entry == nullptr || entry->value.items.empty() ? nullptr : &entry->value;
}

bool is_active(const Node& profiler) {
  const Entry* entry = profiler.find("active");
  return entry != nullptr && entry->value.scalar == "true";
}

/// The selectors of profilers without selectors of their own. They depend on the other profilers in
/// the list (config::derive).
Node default_selectors(const std::vector<Node>& profilers) {
  const Node* source = &profilers[0];
  for (const Node& profiler : profilers) {
    if (is_active(profiler)) source = &profiler;
  }
  if (const Node* given = selectors_of(*source)) return *given;
  Node edges, list;
  edges.kind = Node::Kind::kMap;
  edges.mark = list.mark = source->mark;
  put("profile", scalar_node("edge", source->mark), &edges);
  list.kind = Node::Kind::kSequence;
  list.items.push_back(std::move(edges));
  return list;
}

/// The profilers of all points, each distinct one once, under names of their own.
class Gatherer {
 public:
  Observed add(std::vector<Node> profilers) {
    Observed observed;
    const Node selectors = default_selectors(profilers);
    for (Node& profiler : profilers) {
      const std::string name = profiler.find("name")->value.scalar;
      if (selectors_of(profiler) == nullptr) put("selectors", selectors, &profiler);
      const auto [known, is_new] = places_.try_emplace(flow_text(profiler), names_.size());
      if (is_new) {
        put("name", scalar_node(fmt::format("o{}", names_.size()), profiler.mark), &profiler);
        names_.push_back(name);
        list_.push_back(std::move(profiler));
      }
      observed.profilers.push_back(known->second);
      observed.names.push_back(name);
    }
    return observed;
  }

  std::vector<Node> take() { return std::move(list_); }
  /// The names that the profilers had before.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, size_t> places_;
  std::vector<std::string> names_;
  std::vector<Node> list_;
};

/// Keeps each profiler's seed, because seeds are derived from names and the names differ in the
/// merged run.
void keep_seeds(const config::LoadResult& loaded, const std::vector<std::string>& names,
                std::vector<Node>* profilers) {
  for (const config::EffectiveValue& value : loaded.values) {
    const std::vector<std::string> path = config::split_path(value.path);
    if (path.size() != 3 || path[0] != "profilers" || path[2] != "seed" || value.value != "0") {
      continue;
    }
    const size_t place = std::stoul(path[1]);
    Node& profiler = (*profilers)[place];
    const uint64_t seed = config::derived_seed(loaded.configuration.seed, names[place]);
    put("seed", scalar_node(std::to_string(seed), profiler.mark), &profiler);
  }
}

}  // namespace

MergedRun merge(const Space& space, const std::vector<Point>& points) {
  MergedRun run;
  run.root = space.tree(points[0]);
  Entry* entry = run.root.find("profilers");
  if (points.size() == 1 || entry == nullptr) {
    run.loaded = config::load_run_tree(run.root, space.directory());
    Observed all;
    for (const config::ProfilerConfig& profiler : run.loaded.configuration.profilers) {
      all.profilers.push_back(all.profilers.size());
      all.names.push_back(profiler.name);
    }
    run.observed.assign(points.size(), all);
    return run;
  }
  Gatherer gatherer;
  for (const Point& point : points) {
    run.observed.push_back(gatherer.add(space.tree(point).find("profilers")->value.items));
  }
  entry->value.items = gatherer.take();
  run.loaded = config::load_run_tree(run.root, space.directory());
  if (!run.loaded.good()) return run;
  keep_seeds(run.loaded, gatherer.names(), &entry->value.items);
  run.loaded = config::load_run_tree(run.root, space.directory());
  return run;
}

nlohmann::json profilers_of(const nlohmann::json& result, const Observed& observed) {
  nlohmann::json profilers = nlohmann::json::array();
  for (size_t i = 0; i < observed.profilers.size(); ++i) {
    profilers.push_back(result.at("profilers").at(observed.profilers[i]));
    profilers.back()["name"] = observed.names[i];
  }
  return profilers;
}

}  // namespace strobe::explore
