// A discrete-event simulation of a small factory: sources, machines that break down, inspectors
// that send work back, conveyors, sinks. Every event is a virtual call; the calendar is a heap.
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "workload.h"

namespace {

using Time = uint64_t;

struct Part {
  uint32_t id;
  Time created;
  uint32_t repairs = 0;
};

class Simulation;

// Something that happens to a station at a time.
class Station {
 public:
  explicit Station(std::string name) : name_(std::move(name)) {}
  virtual ~Station() = default;
  virtual void on_event(Simulation& simulation, int what) = 0;
  // Returns false when the station is full; it then wakes `sender` when there is room.
  virtual bool offer(Simulation& simulation, Part* part, Station* sender) = 0;
  virtual void on_room(Simulation& simulation) = 0;
  virtual uint64_t digest() const = 0;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

struct Event {
  Time time;
  uint64_t order;  // events of the same time are served in the order of scheduling
  Station* station;
  int what;
};

struct Later {
  bool operator()(const Event& a, const Event& b) const {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }
};

class Simulation {
 public:
  explicit Simulation(uint64_t seed) : random_(seed) {}

  void schedule(Time delay, Station* station, int what) {
    calendar_.push({now_ + delay, order_++, station, what});
  }

  void run(uint64_t events) {
    for (; events > 0 && !calendar_.empty(); --events) {
      Event event = calendar_.top();
      calendar_.pop();
      now_ = event.time;
      event.station->on_event(*this, event.what);
    }
  }

  Time now() const { return now_; }
  uint32_t random(uint32_t bound) { return random_below(&random_, bound); }
  // A roughly exponential delay: the sum of a few geometric steps.
  Time random_delay(uint32_t mean) {
    Time delay = 1;
    while (random(4) != 0) delay += 1 + random(mean * 2 / 3);
    return delay;
  }

 private:
  std::priority_queue<Event, std::vector<Event>, Later> calendar_;
  Time now_ = 0;
  uint64_t order_ = 0;
  uint64_t random_;
};

class Sink : public Station {
 public:
  using Station::Station;
  void on_event(Simulation&, int) override {}
  void on_room(Simulation&) override {}
  bool offer(Simulation& simulation, Part* part, Station*) override {
    ++parts_;
    total_time_ += simulation.now() - part->created;
    repairs_ += part->repairs;
    delete part;
    return true;
  }
  uint64_t digest() const override { return parts_ * 1000003 + total_time_ * 31 + repairs_; }
  uint64_t parts() const { return parts_; }
  uint64_t mean_time() const { return parts_ == 0 ? 0 : total_time_ / parts_; }
  uint64_t repairs() const { return repairs_; }

 private:
  uint64_t parts_ = 0, total_time_ = 0, repairs_ = 0;
};

// A station with a queue: it takes parts, works on one at a time, and hands it on.
class Worker : public Station {
 public:
  Worker(std::string name, size_t room) : Station(std::move(name)), room_(room) {}
  ~Worker() override {
    for (Part* part : queue_) delete part;
    delete current_;
  }

  bool offer(Simulation& simulation, Part* part, Station* sender) override {
    if (queue_.size() >= room_) {
      waiting_.push_back(sender);
      return false;
    }
    queue_.push_back(part);
    start(simulation);
    return true;
  }

  void on_event(Simulation& simulation, int what) override {
    if (what == kDone) {
      done_ = true;
      hand_on(simulation);
    } else {
      on_other_event(simulation, what);
    }
  }

  void on_room(Simulation& simulation) override {
    if (done_) hand_on(simulation);
  }

  uint64_t digest() const override { return handled_ * 7919 + queue_.size(); }

 protected:
  enum { kDone, kBreak, kRepaired };

  virtual Time work_time(Simulation& simulation, const Part& part) = 0;
  virtual Station* route(Simulation& simulation, Part& part) = 0;
  virtual void on_other_event(Simulation&, int) {}
  virtual bool is_able() const { return true; }

  void start(Simulation& simulation) {
    if (current_ != nullptr || queue_.empty() || !is_able()) return;
    current_ = queue_.front();
    queue_.erase(queue_.begin());
    target_ = nullptr;
    simulation.schedule(work_time(simulation, *current_), this, kDone);
    if (!waiting_.empty()) {
      Station* sender = waiting_.front();
      waiting_.erase(waiting_.begin());
      sender->on_room(simulation);
    }
  }

 private:
  void hand_on(Simulation& simulation) {
    if (target_ == nullptr) target_ = route(simulation, *current_);
    if (!target_->offer(simulation, current_, this)) return;
    current_ = nullptr;
    done_ = false;
    ++handled_;
    start(simulation);
  }

  size_t room_;
  std::vector<Part*> queue_;
  std::vector<Station*> waiting_;
  Part* current_ = nullptr;
  Station* target_ = nullptr;
  bool done_ = false;
  uint64_t handled_ = 0;
};

class Machine : public Worker {
 public:
  Machine(std::string name, uint32_t mean, Station* next)
      : Worker(std::move(name), 8), mean_(mean), next_(next) {}

 protected:
  Time work_time(Simulation& simulation, const Part& part) override {
    if (simulation.random(50) == 0) {
      broken_ = true;
      simulation.schedule(mean_ * 5, this, kRepaired);
    }
    return simulation.random_delay(mean_) + part.repairs * 3;
  }
  Station* route(Simulation&, Part&) override { return next_; }
  bool is_able() const override { return !broken_; }
  void on_other_event(Simulation& simulation, int) override {
    broken_ = false;
    start(simulation);
  }

 private:
  uint32_t mean_;
  Station* next_;
  bool broken_ = false;
};

class Conveyor : public Worker {
 public:
  Conveyor(std::string name, Time length, Station* next)
      : Worker(std::move(name), 16), length_(length), next_(next) {}

 protected:
  Time work_time(Simulation&, const Part&) override { return length_; }
  Station* route(Simulation&, Part&) override { return next_; }

 private:
  Time length_;
  Station* next_;
};

class Inspector : public Worker {
 public:
  Inspector(std::string name, Station* good, Station* scrap)
      : Worker(std::move(name), 32), good_(good), scrap_(scrap) {}
  void set_repair(Station* repair) { repair_ = repair; }

 protected:
  Time work_time(Simulation& simulation, const Part&) override { return 2 + simulation.random(3); }
  Station* route(Simulation& simulation, Part& part) override {
    if (simulation.random(12) != 0) return good_;
    if (part.repairs >= 2) return scrap_;
    ++part.repairs;
    return repair_;
  }

 private:
  Station *good_, *scrap_, *repair_ = nullptr;
};

// Sends the parts to its targets in turn.
class Splitter : public Worker {
 public:
  Splitter(std::string name, std::vector<Station*> targets)
      : Worker(std::move(name), 4), targets_(std::move(targets)) {}

 protected:
  Time work_time(Simulation&, const Part&) override { return 1; }
  Station* route(Simulation&, Part&) override { return targets_[next_++ % targets_.size()]; }

 private:
  std::vector<Station*> targets_;
  size_t next_ = 0;
};

class Source : public Station {
 public:
  Source(std::string name, uint32_t mean, Station* next)
      : Station(std::move(name)), mean_(mean), next_(next) {}
  ~Source() override { delete held_; }

  void on_event(Simulation& simulation, int) override {
    held_ = new Part{made_++, simulation.now()};
    try_to_send(simulation);
  }
  void on_room(Simulation& simulation) override {
    if (held_ != nullptr) try_to_send(simulation);
  }
  bool offer(Simulation&, Part*, Station*) override { return false; }
  uint64_t digest() const override { return made_; }

 private:
  void try_to_send(Simulation& simulation) {
    if (!next_->offer(simulation, held_, this)) return;
    held_ = nullptr;
    simulation.schedule(simulation.random_delay(mean_), this, 0);
  }

  uint32_t mean_;
  Station* next_;
  Part* held_ = nullptr;
  uint32_t made_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  static const uint64_t event_counts[] = {3000, 40000, 400000};
  static const int line_counts[] = {2, 8, 24};
  workload_size_t which = workload_size(argc, argv);
  Simulation simulation(7);
  std::vector<std::unique_ptr<Station>> stations;
  auto add = [&stations](auto station) {
    auto* raw = station.get();
    stations.push_back(std::move(station));
    return raw;
  };

  Sink* good = add(std::make_unique<Sink>("good"));
  Sink* scrap = add(std::make_unique<Sink>("scrap"));
  for (int i = 0; i < line_counts[which]; ++i) {
    std::string line = "line " + std::to_string(i);
    Inspector* inspector = add(std::make_unique<Inspector>(line + " inspector", good, scrap));
    Conveyor* out = add(std::make_unique<Conveyor>(line + " out", 3, inspector));
    std::vector<Station*> machines;
    for (int m = 0; m < 3; ++m) {
      machines.push_back(add(std::make_unique<Machine>(line + " machine " + std::to_string(m),
                                                       static_cast<uint32_t>(9 + m), out)));
    }
    Splitter* splitter = add(std::make_unique<Splitter>(line + " splitter", machines));
    inspector->set_repair(machines[0]);
    Source* source = add(std::make_unique<Source>(line + " source", 5, splitter));
    simulation.schedule(static_cast<Time>(i), source, 0);
  }
  simulation.run(event_counts[which]);

  uint64_t sum = CHECKSUM_START;
  for (const auto& station : stations) {
    sum = checksum_bytes(sum, station->name().data(), station->name().size());
    sum = checksum_word(sum, station->digest());
  }
  require(good->parts() > 0, "nothing was made");
  printf("desim: %zu stations, time %llu, %llu parts made, %llu scrapped\n", stations.size(),
         static_cast<unsigned long long>(simulation.now()),
         static_cast<unsigned long long>(good->parts()),
         static_cast<unsigned long long>(scrap->parts()));
  printf("mean time in the factory %llu, %llu repairs\n",
         static_cast<unsigned long long>(good->mean_time()),
         static_cast<unsigned long long>(good->repairs()));
  printf("checksum %016llx\n", static_cast<unsigned long long>(sum));
  return 0;
}
