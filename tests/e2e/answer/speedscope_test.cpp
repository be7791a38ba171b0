// Speedscope opens what is exported: the page of its npm package, in a browser without a window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sw/files/run_tool.h"
#include "tests/e2e/answer/runs.h"
#include "tests/e2e/report/browser.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kSpeedscope = "/usr/local/share/strobe/npm/speedscope-Y2522XSH.js";

/// A page that loads speedscope, and is ready when speedscope has drawn its table of functions.
/// What `localProfilePath` names is a script that gives it the profile.
constexpr const char* kPage = R"(<!DOCTYPE html><html><head><meta charset="UTF-8"></head><body>
<script>
location.hash = "localProfilePath=" + location.pathname.slice(1).replace(/[^/]*$/, "profile.js") +
    "&view=sandwich";
setInterval(() => {
  if (document.querySelector("tr")) document.body.dataset.ready = "true";
}, 20);
</script>
<script src="file://SPEEDSCOPE"></script>
</body></html>)";

class Speedscope : public RunsTest {
 protected:
  /// The text of the rows that speedscope's table has for an export.
  std::string rows_of(const std::string& run, const std::string& format,
                      const std::string& file_name, const std::vector<std::string>& more = {}) {
    EXPECT_TRUE(fs::exists(kSpeedscope)) << "run scripts/setup";
    const fs::path file = scratch_.path() / file_name;
    std::vector<std::string> words = {"export", run, "--format", format, "--output", file.string()};
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult process = strobe(words);
    EXPECT_EQ(process.exit_code, 0) << process.err;
    const files::ToolResult base64 = files::run_tool({"base64", "-w0", file.string()});
    scratch_.write("profile.js", "speedscope.loadFileFromBase64(\"" + file_name + "\", \"" +
                                     base64.output + "\");\n");
    std::string page = kPage;
    page.replace(page.find("SPEEDSCOPE"), std::string("SPEEDSCOPE").size(), kSpeedscope);
    browser_.open(scratch_.write("page.html", page));
    return browser_.text(
        "Array.from(document.querySelectorAll('tr')).map(row => row.innerText).join('\\n')");
  }

  Browser browser_;
};

TEST_F(Speedscope, ReadsFoldedStacks) {
  const std::string rows = rows_of(counted(), "folded", "lz.folded", {"--profiler", "complete"});
  EXPECT_THAT(rows, HasSubstr("lz.c:"));
}

TEST_F(Speedscope, ReadsATimeline) {
  const std::string run = run_of(
      run_file(workload("lz"), "[tiny]",
               "[{ name: p, kind: stratified, active: true, fidelity: model, rate: 16, strata: 16, "
               "counter_width: 6, buffer_depth: 4, watermark: 2, selectors: [{ profile: edge }] }]",
               "baseline: false\ntrace: { timeline: timeline.csv, to: 100000 }\n"));
  const std::string rows = rows_of(run, "perfetto", "lz.json");
  EXPECT_THAT(rows, HasSubstr("handler {\"source\":\"profiler\""));
  EXPECT_THAT(rows, testing::Not(HasSubstr("drain {")));  // it would be long only around others
}

}  // namespace
}  // namespace strobe::e2e
