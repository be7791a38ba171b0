// Needs no header, so a compiler without the libraries of RISC-V takes it too.
int call(int);

int branches(int value) {
  while (value > 0 && call(value) != 3) value -= call(value - 1);
  return value;
}
