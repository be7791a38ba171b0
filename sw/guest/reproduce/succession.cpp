// Programs in succession, for profilers that meet a change of phase: runs each workload that an
// argument names, in the size tiny. The workloads are compiled with `main` renamed to NAME_main.
#include <cstdio>
#include <cstring>

using Program = int(int argc, char** argv);
extern "C" {
Program btree_main, hashjoin_main, lisp_main, lz_main, othello_main, paths_main;
}
Program desim_main, json_main, raytrace_main, regex_main;

namespace {

const struct {
  const char* name;
  Program* run;
} kPrograms[] = {{"btree", btree_main},      {"desim", desim_main}, {"hashjoin", hashjoin_main},
                 {"json", json_main},        {"lisp", lisp_main},   {"lz", lz_main},
                 {"othello", othello_main},  {"paths", paths_main}, {"regex", regex_main},
                 {"raytrace", raytrace_main}};

int run(char* name) {
  char size[] = "tiny";
  char* arguments[] = {name, size, nullptr};
  for (const auto& program : kPrograms) {
    if (std::strcmp(name, program.name) == 0) return program.run(2, arguments);
  }
  std::fprintf(stderr, "succession: no workload is called %s\n", name);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const int code = run(argv[i]);
    if (code != 0) return code;
  }
  return argc > 1 ? 0 : 2;
}
