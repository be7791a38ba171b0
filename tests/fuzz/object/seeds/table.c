// A jump table, computed goto and a loop.
int call(int);

int by_table(int which, int value) {
  switch (which) {
    case 0:
      return value * 3;
    case 1:
      return call(value);
    case 2:
      return value ^ 5;
    case 3:
      return value + call(1);
    case 4:
      return value % 13;
    default:
      return 1;
  }
}

int by_label(const unsigned char* at) {
  static const void* const operations[] = {&&end, &&add};
  int value = 0;
  goto* operations[*at++];
add:
  value += *at++;
  goto* operations[*at++];
end:
  return value;
}
