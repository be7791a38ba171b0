/* Built with Zbb: with an argument it executes an instruction of it. */
__attribute__((noinline)) unsigned long count_bits(unsigned long value) {
  return (unsigned long)__builtin_popcountl(value);
}

int main(int count, char **arguments) {
  (void)arguments;
  return count == 1 ? 0 : (int)count_bits((unsigned long)count);
}
