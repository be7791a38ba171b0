// A Slurm cluster of one node on loopback, with a munge of its own, for the life of this object.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {

class SlurmCluster {
 public:
  /// Starts it and sets SLURM_CONF. What went wrong is in fault().
  SlurmCluster();
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  const std::string& fault() const { return fault_; }
  /// What a shell command prints, its errors too.
  std::string run(const std::string& command) const;

 private:
  void start(const std::vector<std::string>& command);
  void write_configuration() const;
  bool answers() const;

  ScratchDirectory scratch_;
  std::vector<pid_t> daemons_;
  std::string fault_;
};

}  // namespace strobe::e2e
