#include "tests/e2e/sweep/sweep_fixture.h"

namespace strobe::e2e {

using explore::Database;
using explore::Statement;
using nlohmann::json;

void SweepTest::expect_what_runs_give(const std::map<std::string, std::string>& workloads,
                                      size_t expected_points) const {
  Database database(at("out/sweep.sqlite").string());
  Statement points(database,
                   "SELECT p.workload, p.seed, p.profilers, r.result, p.design, d.label, (SELECT "
                   "value FROM point_metric m WHERE m.point = p.id AND m.key = "
                   "'accuracy.edges.overlap') FROM point p JOIN run r ON r.id = p.run JOIN "
                   "design d ON d.id = p.design WHERE "
                   "p.status = 'done'");
  size_t compared = 0;
  while (points.step()) {
    std::vector<std::string> args = {
        "run",   at("base.yaml").string(), "--force", "--quiet",
        "--out", at("alone").string(),     "--set",   "seed=" + points.text(1)};
    if (!workloads.empty()) {
      args.insert(args.end(), {"--set", "workload=" + workloads.at(points.text(0))});
    }
    Statement settings(database,
                       "SELECT a.key, s.value FROM setting s JOIN axis a ON a.id = s.axis WHERE "
                       "s.design = ? AND s.value IS NOT NULL");
    settings.bind(points.integer(4));
    while (settings.step()) {
      args.insert(args.end(), {"--set", settings.text(0) + "=" + settings.text(1)});
    }
    const ProcessResult run = strobe(args);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    json planned = json::parse(points.text(3));
    planned["profilers"] = json::parse(points.text(2));
    json alone = read_json(at("alone/result.json"));
    const json edges = alone.at("accuracy").value("edges", json());
    EXPECT_EQ(points.value(6), edges.is_null() ? edges : edges.at("overlap")) << points.text(5);
    alone.erase("accuracy");
    EXPECT_EQ(planned, alone) << points.text(5);
    ++compared;
  }
  EXPECT_EQ(compared, expected_points);
}

}  // namespace strobe::e2e
