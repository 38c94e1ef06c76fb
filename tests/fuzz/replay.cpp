// Replays a fuzz target without libFuzzer: every corpus file as it is, then seeded mutations of it. A crash or a
// sanitizer report is the failure; the program prints the seed that reproduces it.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int k_mutations_per_file = 400;

std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void mutate(std::vector<std::uint8_t>& bytes, std::mt19937_64& random) {
  const auto count = 1 + random() % 8;
  for (std::uint64_t i = 0; i < count && !bytes.empty(); ++i) {
    const auto at = random() % bytes.size();
    switch (random() % 4) {
    case 0:
      bytes[at] ^= std::uint8_t(1U << (random() % 8));
      break;
    case 1:
      bytes[at] = std::uint8_t(random());
      break;
    case 2:
      bytes.resize(at);
      break;
    default:
      bytes.insert(bytes.begin() + std::ptrdiff_t(at), 1 + random() % 9, 0xff);
      break;
    }
  }
}

} // namespace

int main(int argument_count, char** arguments) {
  int files = 0;
  for (int i = 1; i < argument_count; ++i) {
    for (const auto& item : std::filesystem::directory_iterator(arguments[i])) {
      const auto original = read_file(item.path());
      LLVMFuzzerTestOneInput(original.data(), original.size());
      for (int seed = 0; seed < k_mutations_per_file; ++seed) {
        std::mt19937_64 random(static_cast<std::uint64_t>(seed));
        auto bytes = original;
        mutate(bytes, random);
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      }
      ++files;
    }
  }
  std::printf("%d corpus files, %d mutations each\n", files, k_mutations_per_file);
  return files > 0 ? 0 : 1;
}
