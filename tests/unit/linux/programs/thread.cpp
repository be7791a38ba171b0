// A second thread: there is only one hart.
#include <thread>

int main() {
  std::thread([] {}).join();
  return 0;
}
