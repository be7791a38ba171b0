// Computed goto by differences of labels, the way that the manual of GCC recommends for shared
// libraries.
#include <stdio.h>

__attribute__((noinline, noclone)) int dispatch(const unsigned char* at) {
  static const int operations[] = {&&end - &&end, &&twice - &&end, &&next - &&end};
  int value = 1;
  goto*(&&end + operations[*at++]);
twice:
  value *= 2;
  goto*(&&end + operations[*at++]);
next:
  value++;
  goto*(&&end + operations[*at++]);
end:
  return value;
}

int main(void) {
  const unsigned char program[] = {1, 1, 2, 1, 2, 0};
  printf("%d\n", dispatch(program));
  return 3;
}
