// What C++20 has for threads: each class does what it promises, and exceptions and objects of a
// thread stay in it.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <iostream>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

void threads() {
  std::vector<int> squares(8);
  std::vector<std::thread> workers;
  for (int i = 0; i < 8; ++i) workers.emplace_back([&squares, i] { squares[i] = i * i; });
  for (auto& worker : workers) worker.join();
  std::cout << "squares " << std::accumulate(squares.begin(), squares.end(), 0) << "\n";
  std::thread moved([] {});
  std::thread target = std::move(moved);
  std::cout << "joinable " << moved.joinable() << " " << target.joinable() << "\n";
  target.join();
  try {
    target.join();
  } catch (const std::system_error& error) {
    std::cout << "join again: " << (error.code() == std::errc::invalid_argument) << "\n";
  }
}

int64_t sum(const std::vector<int>& values, size_t begin, size_t end, int depth) {
  if (depth == 0) return std::accumulate(values.begin() + begin, values.begin() + end, int64_t{0});
  const size_t middle = (begin + end) / 2;
  auto left =
      std::async(std::launch::async, [&, depth] { return sum(values, begin, middle, depth - 1); });
  const int64_t right = sum(values, middle, end, depth - 1);
  return left.get() + right;
}

void futures() {
  std::vector<int> values(20000);
  std::iota(values.begin(), values.end(), 1);
  std::cout << "tree of async " << sum(values, 0, values.size(), 3) << "\n";
  auto failing =
      std::async(std::launch::async, []() -> int { throw std::out_of_range("far away"); });
  try {
    std::cout << failing.get();
  } catch (const std::out_of_range& error) {
    std::cout << "async threw: " << error.what() << "\n";
  }
  std::promise<std::string> promise;
  std::shared_future<std::string> shared = promise.get_future().share();
  std::cout << "not yet " << (shared.wait_for(5ms) == std::future_status::timeout) << "\n";
  std::atomic<size_t> letters{0};
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) readers.emplace_back([&] { letters += shared.get().size(); });
  promise.set_value("hello");
  readers.clear();
  std::cout << "letters " << letters << "\n";
  std::packaged_task<int(int)> task([](int x) { return x + 1; });
  auto result = task.get_future();
  std::jthread(std::move(task), 41).join();
  std::cout << "task " << result.get() << "\n";
  std::future<int> broken;
  {
    std::promise<int> abandoned;
    broken = abandoned.get_future();
  }
  try {
    broken.get();
  } catch (const std::future_error& error) {
    std::cout << "broken promise " << (error.code() == std::future_errc::broken_promise) << "\n";
  }
}

void stopping() {
  std::atomic<int> stopped{0}, called{0};
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < 4; ++i) {
      workers.emplace_back([&](std::stop_token token) {
        std::atomic<bool> told{false};
        std::stop_callback callback(token, [&] { ++called, told = true, told.notify_one(); });
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        stopped += !never.wait(lock, token, [] { return false; });
        told.wait(false);
      });
    }
    workers[0].request_stop();
    workers[0].join();
    std::cout << "first stopped " << (stopped >= 1) << "\n";
  }
  std::cout << "stopped " << stopped << ", callbacks " << called << "\n";
}

void meetings() {
  constexpr int kThreads = 4, kPhases = 30;
  std::latch ready(kThreads), go(1);
  std::atomic<int> early{0};
  std::atomic<bool> open{false};
  std::vector<int> completed;
  std::vector<int> sums(kThreads);
  std::barrier phases(kThreads, [&]() noexcept {
    completed.push_back(std::accumulate(sums.begin(), sums.end(), 0));
  });
  std::vector<std::jthread> workers;
  for (int i = 0; i < kThreads; ++i) {
    workers.emplace_back([&, i] {
      ready.count_down();
      go.wait();
      early += !open;
      for (int phase = 0; phase < kPhases; ++phase) {
        sums[i] += i + phase;
        if (i == 3 && phase == kPhases / 2) return phases.arrive_and_drop();
        phases.arrive_and_wait();
      }
    });
  }
  ready.wait();
  open = true;
  go.count_down();
  workers.clear();
  std::cout << "early " << early << ", phases " << completed.size() << ":";
  for (size_t i = 0; i < completed.size(); i += 7) std::cout << " " << completed[i];
  std::cout << "\n";
}

void semaphores() {
  std::counting_semaphore<3> places(3);
  std::binary_semaphore never(0);
  std::atomic<int> inside{0}, visits{0}, crowded{0};
  std::vector<std::jthread> visitors;
  for (int i = 0; i < 6; ++i) {
    visitors.emplace_back([&] {
      for (int visit = 0; visit < 50; ++visit) {
        places.acquire();
        crowded += ++inside > 3;
        std::this_thread::yield();
        --inside, ++visits;
        places.release();
      }
    });
  }
  visitors.clear();
  const auto begin = std::chrono::steady_clock::now();
  const bool acquired = never.try_acquire_for(10ms);
  std::cout << "visits " << visits << ", crowded " << crowded << ", acquired " << acquired
            << ", waited " << (std::chrono::steady_clock::now() - begin >= 10ms) << "\n";
}

void atomics() {
  constexpr int kTurns = 400;
  std::atomic<int> turn{0};
  std::atomic<int64_t> wide{0}; /* waits on another word than its own */
  std::string order;
  auto play = [&](int me) {
    for (int i = 0; i < kTurns; ++i) {
      for (int now; (now = turn) % 2 != me;) turn.wait(now);
      if (i < 4) order += static_cast<char>('a' + me);
      ++turn;
      turn.notify_all();
    }
  };
  std::thread first(play, 0), second(play, 1);
  std::thread waits([&] { wide.wait(0); });
  wide = int64_t{1} << 40;
  wide.notify_one();
  waits.join(), first.join(), second.join();
  std::cout << "turns " << turn << ", " << order << ", wide " << wide << "\n";

  std::atomic<std::shared_ptr<int>> shared(std::make_shared<int>(0));
  std::atomic<int> narrow{0};
  std::atomic<uint8_t> byte{0};
  std::atomic<double> real{0};
  std::atomic_flag flag;
  int guarded = 0;
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < 4; ++i) {
      workers.emplace_back([&] {
        for (int n = 0; n < 500; ++n) {
          auto old = shared.load();
          while (!shared.compare_exchange_weak(old, std::make_shared<int>(*old + 1))) continue;
          narrow.fetch_xor(n), byte.fetch_add(3), real.fetch_add(0.5);
          while (flag.test_and_set(std::memory_order_acquire)) flag.wait(true);
          ++guarded;
          flag.clear(std::memory_order_release);
          flag.notify_one();
        }
      });
    }
  }
  std::cout << "shared " << *shared.load() << ", " << narrow << ", " << int{byte} << ", " << real
            << ", " << guarded << "\n";
}

void locks() {
  std::shared_mutex gate;
  std::shared_timed_mutex slow;
  std::recursive_timed_mutex nested;
  std::mutex left, right;
  int written = 0, copy = 0, moved = 0;
  std::atomic<int> torn{0};
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < 4; ++i) {
      workers.emplace_back([&, i] {
        for (int n = 0; n < 200; ++n) {
          if (i % 2 == 0) {
            std::unique_lock lock(gate);
            ++written;
            if (n % 16 == 0) std::this_thread::yield();
            ++copy;
          } else {
            std::shared_lock lock(gate);
            torn += written != copy;
          }
          /* Opposite orders would lock each other out. */
          std::scoped_lock both(i % 2 ? left : right, i % 2 ? right : left);
          ++moved;
        }
      });
    }
  }
  std::cout << "written " << written << ", torn " << torn << ", moved " << moved << "\n";
  std::unique_lock hold(slow);
  std::lock_guard again(nested);
  std::lock_guard twice(nested);
  std::thread([&] {
    std::cout << "shared after 5 ms " << slow.try_lock_shared_for(5ms) << ", nested "
              << nested.try_lock_for(5ms) << "\n";
  }).join();
  std::once_flag flag;
  int calls = 0;
  std::vector<std::jthread> workers;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&] {
      try {
        std::call_once(flag, [&] {
          if (++calls < 3) throw std::runtime_error("again");
        });
      } catch (const std::runtime_error&) {
      }
    });
  }
  workers.clear();
  std::cout << "calls until one succeeded " << calls << "\n";
}

struct Counted {
  static inline std::atomic<int> made{0}, gone{0};
  int value = 7;
  Counted() { ++made; }
  ~Counted() { ++gone; }
};
thread_local Counted counted;

void exceptions() {
  std::vector<std::exception_ptr> errors(6);
  std::vector<std::thread> workers;
  for (int i = 0; i < 6; ++i) {
    workers.emplace_back([&errors, i] {
      for (int n = 0; n < 20; ++n) {
        try {
          std::vector<int>(3).at(n + 3);
        } catch (const std::out_of_range&) {
        }
      }
      try {
        throw std::runtime_error("thread " + std::to_string(i));
      } catch (...) {
        errors[i] = std::current_exception();
      }
    });
  }
  for (auto& worker : workers) worker.join();
  for (const auto& error : errors) {
    try {
      std::rethrow_exception(error);
    } catch (const std::runtime_error& caught) {
      std::cout << caught.what() << (&error == &errors.back() ? "\n" : ", ");
    }
  }
  workers.clear();
  std::atomic<int> sum{0};
  for (int i = 0; i < 5; ++i) workers.emplace_back([&, i] { sum += counted.value += i; });
  for (auto& worker : workers) worker.join();
  std::cout << "objects of threads: sum " << sum << ", made " << Counted::made << ", gone "
            << Counted::gone << "\n";
}

}  // namespace

int main() {
  threads();
  futures();
  stopping();
  meetings();
  semaphores();
  atomics();
  locks();
  exceptions();
}
