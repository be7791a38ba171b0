// strobe-gen: writes the generated files of the tree, or names those that are stale.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "sw/gen/generate.h"

int main(int argc, char** argv) {
  CLI::App app(
      "Writes the files that are generated from configs/registers.yaml and configs/blocks, from "
      "the declarations of the configuration keys, from the proxy's table of system calls, and "
      "from the measurements of scripts/configurations.\n\nExample: "
      "strobe-gen --root . --check");
  std::string root = ".";
  bool check = false;
  app.add_option("--root", root, "Root of the source tree")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_flag(
      "--check", check,
      "Write nothing; name the files that are out of date and exit with 1 when there are any");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    strobe::text::Diagnostics diagnostics;
    const auto files = strobe::gen::generate(root, &diagnostics);
    if (!diagnostics.empty()) {
      std::fputs(strobe::text::to_text(diagnostics).c_str(), stderr);
      return 2;
    }
    if (check) {
      const auto paths = strobe::gen::stale(root, files);
      for (const auto& path : paths) {
        std::fprintf(stderr, "%s: error: stale; run 'strobe-gen --root %s'\n", path.c_str(),
                     root.c_str());
      }
      return paths.empty() ? 0 : 1;
    }
    for (const auto& path : strobe::gen::write(root, files))
      std::printf("wrote %s\n", path.c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "strobe-gen: error: %s\n", error.what());
    return 1;
  }
}
