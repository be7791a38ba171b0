// Writes the hand-made part of the seed corpus: a tiny valid file and one with two joined segments.
#include <fstream>
#include <iostream>

#include "tests/unit/elf/tiny_elf.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_seeds DIRECTORY\n";
    return 2;
  }
  const auto write = [&](const char* name, const std::vector<uint8_t>& bytes) {
    std::ofstream file(std::string(argv[1]) + "/" + name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return file.good();
  };
  strobe::isa::TinyElf plain, joined;
  joined.segments[1].p_vaddr = 0x10080;
  return write("plain", plain.bytes()) && write("joined", joined.bytes()) ? 0 : 1;
}
