// A handler, a cleanup and a function in a group.
void call(int);

struct Guard {
  ~Guard() { call(0); }
};

template <typename T>
__attribute__((noinline)) T shared(T value) {
  const Guard guard;
  call(value);
  return value + 1;
}

int handled(int value) {
  try {
    return shared(value);
  } catch (int caught) {
    return caught;
  } catch (...) {
    return -1;
  }
}
