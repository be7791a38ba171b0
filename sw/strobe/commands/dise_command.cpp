#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/dise/assemble.h"
#include "sw/dise/image/disassemble.h"
#include "sw/dise/image/image_file.h"
#include "sw/files/regular_file.h"
#include "sw/files/whole_file.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"

namespace strobe {
namespace {

using Files = std::shared_ptr<std::vector<std::string>>;

int report(const dise::Assembled& assembled) {
  fmt::print(stderr, "{}", text::to_text(assembled.faults));
  return kExitUsage;
}

bool is_image(const std::string& file) {
  return std::filesystem::path(file).extension() == ".json";
}

int explain_image(const std::string& file) {
  constexpr uint64_t kLargestImage = uint64_t{1} << 26;
  std::string text, why;
  try {
    if (!files::read_whole(file, kLargestImage, &text, &why)) {
      throw std::runtime_error("cannot be read: " + why);
    }
    fmt::print("{}", dise::explain(dise::image_from_json(text)));
    return kExitOk;
  } catch (const std::runtime_error& error) {
    fmt::print(stderr,
               "strobe: error: {}: {}; expected an image written by 'strobe dise assemble'\n", file,
               error.what());
    return kExitUsage;
  }
}

int dise_check(const std::vector<std::string>& files) {
  const dise::Assembled assembled = dise::assemble_files(files, {});
  if (!assembled.good()) return report(assembled);
  const dise::Image& image = assembled.image;
  fmt::print("{}: ok: {} of {} pattern entries, {} of {} replacement entries\n",
             fmt::join(files, ", "), image.patterns.size(), image.limits.patterns,
             image.replacements.size(), image.limits.replacements);
  return kExitOk;
}

int dise_assemble(const std::vector<std::string>& files, const std::string& out) {
  const dise::Assembled assembled = dise::assemble_files(files, {});
  if (!assembled.good()) return report(assembled);
  const std::string text = dise::to_json(assembled.image);
  if (out.empty()) {
    fmt::print("{}", text);
    return kExitOk;
  }
  return say_faults(kExitUsage, [&] {
    files::write_whole(out, text);
    return kExitOk;
  });
}

int dise_explain(const std::vector<std::string>& files) {
  if (files.size() == 1 && is_image(files[0])) return explain_image(files[0]);
  const dise::Assembled assembled = dise::assemble_files(files, {});
  if (!assembled.good()) return report(assembled);
  fmt::print("{}", dise::explain(assembled.image));
  return kExitOk;
}

CLI::App* add(CLI::App* dise, const char* name, const char* what, const Files& files) {
  CLI::App* command = dise->add_subcommand(name, what);
  command
      ->add_option("FILE", *files,
                   "Production files (.dise), which together form one production set")
      ->required();
  return command;
}

}  // namespace

void add_dise_command(CLI::App& app, Invocation& invocation) {
  CLI::App* dise = app.add_subcommand("dise", "Check, assemble and explain decode productions");
  dise->require_subcommand(1);
  dise->footer("Example: strobe dise check configs/profilers/hps/sampling.dise");

  const auto files = std::make_shared<std::vector<std::string>>();
  const auto out = std::make_shared<std::string>();
  CLI::App* check = add(
      dise, "check", "Report everything that is wrong, or how much of the tables is used", files);
  check->footer("Example: strobe dise check configs/profilers/hps/sampling.dise");
  check->callback([=, &invocation] { invocation.code = dise_check(*files); });

  CLI::App* assemble = add(dise, "assemble", "Write the image that the decode engine loads", files);
  assemble->add_option("-o,--output", *out,
                       "Image file to write (JSON); without it the standard output");
  assemble->footer(
      "Example: strobe dise assemble configs/profilers/hps/sampling.dise "
      "configs/profilers/hps/hot-methods.dise -o image.json");
  assemble->callback([=, &invocation] { invocation.code = dise_assemble(*files, *out); });

  CLI::App* explain = add(
      dise, "explain", "Show the tables of production files or of one assembled image.json", files);
  explain->footer("Example: strobe dise explain configs/profilers/hps/hot-methods.dise");
  explain->callback([=, &invocation] { invocation.code = dise_explain(*files); });
}

}  // namespace strobe
