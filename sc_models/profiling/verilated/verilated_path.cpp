#include "sc_models/profiling/verilated/verilated_path.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

#include "sc_models/port/path_check.h"
#include "sc_models/profiling/verilated/model_abi.h"
#include "sc_models/profiling/verilated/rtl_object.h"

namespace strobe::profiling {
namespace {

RtlFactory load(const std::string& object) {
  void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw std::runtime_error(fmt::format("cannot load {}: {}", object, dlerror()));
  }
  void* symbol = dlsym(handle, kRtlFactoryName);
  if (symbol == nullptr) {
    throw std::runtime_error(
        fmt::format("{} is not a Verilated profiling path: it has no {}", object, kRtlFactoryName));
  }
  return reinterpret_cast<RtlFactory>(symbol);
}

// Objects stay loaded until the process ends, because the paths made from them may outlive any
// owner here.
RtlFactory factory_of(const PathParams& params, WaveFormat format) {
  static std::mutex mutex;
  static std::map<std::string, RtlFactory> loaded;
  const std::lock_guard<std::mutex> guard(mutex);
  RtlFactory& factory = loaded[point_key(params, format)];
  if (factory == nullptr) factory = load(find_or_build_point(params, format));
  return factory;
}

}  // namespace

std::unique_ptr<ProfilerPath> make_verilated_path(const PathParams& params,
                                                  const WaveRequest& waves) {
  check_path(params);
  const WaveFormat format = wave_format(waves.file);
  const RtlFactory make = factory_of(params, format);
  std::unique_ptr<ProfilerPath> path(
      make(kRtlAbiVersion, waves.file.c_str(), waves.from, waves.to));
  if (path == nullptr || !(path->params() == params)) {
    throw std::runtime_error(
        fmt::format("the Verilated object of point {} was built by another version of Strobe; "
                    "remove it and build again",
                    point_key(params, format)));
  }
  return path;
}

}  // namespace strobe::profiling
