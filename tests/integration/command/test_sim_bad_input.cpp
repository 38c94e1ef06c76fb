#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/scratch_folder.h"
#include "run_command.h"
#include "sim_objects.h"

TEST_SUITE_BEGIN("command");

using hk::sim::Target;
using hk::test::CommandResult;
using hk::test::read_text;
using hk::test::run_hk;
using hk::test::scale_text;
using hk::test::ScratchFolder;
using hk::test::write_object;
using hk::test::write_text;

namespace {

// A folder with a right object, and whether it looks afterwards as it did before.
class Place {
 public:
  Place() {
    write_object(m_folder / "scale.co", Target::gfx942, scale_text());
    write_text(m_folder / "out.npy", "old");
  }

  [[nodiscard]] std::string operator/(const std::string& name) const { return m_folder / name; }

  // A refusal is one line on stderr with these words, exit code 1, and nothing written anywhere.
  void refused(const std::vector<std::string>& words, const std::vector<std::string>& said) const {
    const std::vector<std::string> before = names();
    std::string line;
    for (const std::string& word : words)
      line += word + " ";
    CAPTURE(line);
    const CommandResult result = run_hk(words, "none");
    CAPTURE(result.errors);
    CHECK(result.exit_code == 1);
    CHECK(result.output.empty());
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    CHECK(result.errors.starts_with(words[1] == "run" ? "hk sim run: " : "hk sim list: "));
    for (const std::string& part : said) {
      CAPTURE(part);
      CHECK(result.errors.find(part) != std::string::npos);
    }
    CHECK(read_text(m_folder / "out.npy") == "old");
    CHECK(names() == before);
  }

  // The right command with some words exchanged.
  [[nodiscard]] std::vector<std::string> command(const std::string& option = "", const std::string& value = "") const {
    std::vector<std::string> words = {"sim",     "run", m_folder / "scale.co", "--kernel", "test_kernel", "--grid", "1",
                                      "--block", "64"};
    const auto place = std::find(words.begin(), words.end(), option);
    if (place != words.end())
      *(place + 1) = value;
    else if (!option.empty())
      words.insert(words.end(), {option, value});
    for (const std::string& argument :
         {"buffer:256:out=" + (m_folder / "out.npy"), std::string("buffer:256"), std::string("f32:1")})
      words.insert(words.end(), {"--arg", argument});
    return words;
  }
  // The same with other arguments.
  [[nodiscard]] std::vector<std::string> with_arguments(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {"sim", "run", m_folder / "scale.co", "--grid", "1", "--block", "64"};
    for (const std::string& argument : arguments)
      words.insert(words.end(), {"--arg", argument});
    return words;
  }

 private:
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& item : std::filesystem::recursive_directory_iterator(m_folder.path()))
      found.push_back(item.path());
    std::sort(found.begin(), found.end());
    return found;
  }

  ScratchFolder m_folder;
};

} // namespace

TEST_CASE("command.sim: the right command of these tests is accepted") {
  const Place place;
  const auto result = run_hk(place.command(), "none");
  CHECK_MESSAGE(result.exit_code == 0, result.errors);
  CHECK(read_text(place / "out.npy").size() == 128 + 256);
}

TEST_CASE("command.sim: files that are none, or no code objects") {
  const Place place;
  write_text(place / "empty", "");
  write_text(place / "text", "this is not an ELF file, and longer than the header of one would be, by some margin");
  std::filesystem::create_directory(place / "folder");
  for (const char* name : {"missing", "empty", "text", "folder"}) {
    place.refused({"sim", "list", place / name}, {place / name});
    place.refused({"sim", "run", place / name, "--grid", "1", "--block", "64"}, {place / name});
  }
}

TEST_CASE("command.sim: truncated code objects") {
  const Place place;
  const std::string whole = read_text(place / "scale.co");
  for (std::size_t length = 1; length < whole.size(); length += whole.size() / 9) {
    write_text(place / "cut.co", whole.substr(0, length));
    place.refused({"sim", "list", place / "cut.co"}, {"cut.co"});
  }
  write_text(place / "cut.co", whole.substr(0, whole.size() / 2));
  place.refused({"sim", "run", place / "cut.co", "--grid", "1", "--block", "64"}, {"cut.co"});
}

TEST_CASE("command.sim: damaged code objects run, fault or are refused, but never crash") {
  const Place place;
  const std::string whole = read_text(place / "scale.co");
  std::mt19937 random(7);
  for (int i = 0; i < 24; ++i) {
    std::string damaged = whole;
    for (int flips = 0; flips < 3; ++flips)
      damaged[random() % damaged.size()] ^= static_cast<char>(1U << random() % 8);
    write_text(place / "damaged.co", damaged);
    const auto result =
        run_hk({"sim", "run", place / "damaged.co", "--grid", "1", "--block", "64", "--max-instructions", "10000",
                "--arg", "buffer:256", "--arg", "buffer:256", "--arg", "f32:1"},
               "none");
    CHECK((result.exit_code == 0 || result.exit_code == 1));
    CHECK(result.errors.empty() == (result.exit_code == 0));
  }
}

TEST_CASE("command.sim: objects of another target, devices that are not simulated") {
  const Place place;
  std::string other = read_text(place / "scale.co");
  other[48] = 0x3f; // EF_AMDGPU_MACH of gfx90a, in e_flags
  write_text(place / "gfx90a.co", other);
  place.refused({"sim", "list", place / "gfx90a.co"}, {"gfx90a.co", "gfx942"});
  write_object(place / "gfx950.co", Target::gfx950, scale_text());
  place.refused({"sim", "run", place / "gfx950.co", "--device", "sim:mi300x", "--grid", "1", "--block", "64"},
                {"gfx950", "gfx942"});
  place.refused(place.command("--device", "hip:0"), {"sim:mi300x"});
  place.refused(place.command("--device", "null"), {"sim:mi300x"});
  place.refused(place.command("--device", "sim:mi500x"), {"sim:mi300x"});
}

TEST_CASE("command.sim: an unknown kernel is answered with those that are there") {
  const Place place;
  place.refused(place.command("--kernel", "saxpy"), {"'saxpy'", "it holds test_kernel"});
}

TEST_CASE("command.sim: number and sizes of arguments that do not fit the object") {
  const Place place;
  place.refused(place.with_arguments({"buffer:256", "buffer:256"}),
                {"2 arguments", "takes 3", "0: out (8 bytes at 0), 1: in (8 bytes at 8), 2: factor (4 bytes at 16)"});
  place.refused(place.with_arguments({"buffer:256", "buffer:256", "f32:1", "i32:0"}), {"4 arguments", "takes 3"});
  place.refused(place.with_arguments({"buffer:256", "i32:1", "f32:1"}),
                {"argument 1 in has 8 bytes at offset 8, 'i32:1' has 4"});
  place.refused(place.with_arguments({"buffer:256", "buffer:256", "f64:1"}), {"'f64:1' has 8"});
  auto words = place.with_arguments({"buffer:256", "buffer:256"});
  words.emplace_back("--packed");
  place.refused(words, {"fill 16 bytes", "wants 24"});
}

TEST_CASE("command.sim: arguments that cannot be read") {
  const Place place;
  for (const char* text : {"",
                           "buffer",
                           "buffer:",
                           "buffer:0",
                           "buffer:-1",
                           "buffer:4q",
                           "buffer:99999999999999999999",
                           "buffer:auto",
                           "buffer:256:zero:zero",
                           "buffer:256:random",
                           "buffer:256:random:1",
                           "buffer:256:random:x:f32",
                           "buffer:256:random:1:f33",
                           "buffer:256:nonsense",
                           "buffer:256:as=f32",
                           "buffer:256:shape=4",
                           "buffer:256:name=",
                           "buffer:256:out=x.txt",
                           "ptr",
                           "ptr:",
                           "ptr:x+",
                           "ptr:x+y",
                           "null:1",
                           "i32",
                           "i32:",
                           "i32:1.5",
                           "i32:2147483648",
                           "u32:-1",
                           "u8:256",
                           "i64:0x10000000000000000",
                           "f32:x",
                           "bytes:",
                           "bytes:abc",
                           "bytes:zz",
                           "pad:0",
                           "pad:1G"}) {
    const std::string quoted = "'" + std::string(text) + "'";
    place.refused(place.with_arguments({text, "buffer:256", "f32:1"}), {quoted});
  }
  place.refused(place.with_arguments({"ptr:x", "buffer:256", "f32:1"}), {"ptr:x", "no buffer has this name"});
  place.refused(place.with_arguments({"ptr:x+256", "buffer:256:name=x", "f32:1"}), {"offset 256", "256 bytes"});
  place.refused(place.with_arguments({"buffer:256:name=x", "buffer:256:name=x", "f32:1"}), {"two buffers"});
  place.refused(place.with_arguments({"buffer:400G", "buffer:256", "f32:1"}), {"too few for 429496729600"});
}

TEST_CASE("command.sim: grids, blocks and LDS beyond the limits") {
  const Place place;
  const struct {
    const char* option;
    const char* value;
    const char* said;
  } rows[] = {
      {"--grid", "0", "empty grid"},
      {"--grid", "1,70000", "largest grid"},
      {"--grid", "4294967295", "largest grid"},
      {"--grid", "4294967296", "--grid 4294967296"},
      {"--grid", "1,1,1,1", "--grid 1,1,1,1"},
      {"--grid", "1,,1", "--grid 1,,1"},
      {"--grid", "two", "--grid two"},
      {"--grid", "100000000", "2^32"}, // work-items in x
      {"--block", "0", "empty block"},
      {"--block", "1025", "1024"},
      {"--block", "32,32,2", "1024"},
      {"--block", "-1", "--block -1"},
      {"--lds", "64k1", "--lds 64k1"},
      {"--lds", "65537", "65536"},
      {"--lds", "1000G", "--lds 1000G"},
      {"--trace", "1", "no such workgroup"},
      {"--trace", "0,1", "no such workgroup"},
      {"--trace", "0:1", "1 waves"},
      {"--trace", "0:0:0", "--trace 0:0:0"},
      {"--trace", "0:0:1:2", "--trace 0:0:1:2"},
  };
  for (const auto& row : rows)
    place.refused(place.command(row.option, row.value), {row.said});
}

TEST_CASE("command.sim: a kernel that never ends is stopped where it is told to, and writes nothing") {
  const Place place;
  auto text = scale_text();
  text.body = "again:\ns_nop 0\ns_branch again\ns_endpgm";
  write_object(place / "scale.co", Target::gfx942, text);
  place.refused(place.command("--max-instructions", "5000"), {"test_kernel", "5000 instructions", "s_nop 0"});
}

TEST_CASE("command.sim: a kernel that faults is named with its place, and writes nothing") {
  const Place place;
  place.refused(place.command("--grid", "2"), {"test_kernel", "workgroup (1,0,0)", "global_load_dword", "allocation"});
  auto text = scale_text();
  text.body = "s_nop 0\n.long 0xffffffff\ns_endpgm";
  write_object(place / "scale.co", Target::gfx942, text);
  place.refused(place.command(), {"test_kernel", "not implemented"});
}

TEST_CASE("command.sim: .npy files that cannot be read") {
  const Place place;
  const auto npy = [&](const std::string& version, const std::string& header, const std::string& elements) {
    std::string file = "\x93NUMPY" + version;
    file.push_back(static_cast<char>(header.size() & 0xff));
    file.push_back(static_cast<char>(header.size() >> 8));
    write_text(place / "in.npy", file + header + elements);
    place.refused(place.with_arguments({"buffer:256", "buffer:64:" + (place / "in.npy"), "f32:1"}), {"in.npy"});
  };
  const std::string one_zero("\x01\x00", 2);
  const std::string right = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
  const std::string two(8, 'x');
  npy(std::string("\x02\x00", 2), right, two);
  npy(one_zero, right, two + "y");         // a byte too many
  npy(one_zero, right, two.substr(1));     // and too few
  npy(one_zero, "", "");                   // no header
  npy(one_zero, right.substr(0, 30), two); // half of one
  npy(one_zero, "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", two);
  npy(one_zero, "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", two);
  npy(one_zero, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }", two);
  npy(one_zero, "{'descr': '<f4', 'shape': (2,), }", two);
  npy(one_zero, "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", two);
  npy(one_zero, "{'descr': '<f4', 'fortran_order': False, 'shape': (2), }", two);
  npy(one_zero, "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", two);
  npy(one_zero, "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", two); // 2^64 elements
  npy(one_zero, "{'descr': '<f4', 'fortran_order': False, 'shape': (32,), }", std::string(128, 'x'));  // above 64 bytes
  write_text(place / "in.npy", "\x93NUMPY" + one_zero + std::string("\x3a\x00", 2) +
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }\n");
  place.refused(place.with_arguments({"buffer:256", "buffer:auto:" + (place / "in.npy"), "f32:1"}), {"no elements"});
  write_text(place / "in.npy", "\x93NUMPY");
  place.refused(place.with_arguments({"buffer:256", "buffer:64:" + (place / "in.npy"), "f32:1"}), {"ends inside"});
  place.refused(place.with_arguments({"buffer:256", "buffer:64:" + (place / "missing.npy"), "f32:1"}), {"missing.npy"});
}

TEST_CASE("command.sim: outputs that cannot be written are refused before the run") {
  const Place place;
  const auto refused = [&](const std::string& output, const std::string& said) {
    // The kernel would fault, so that only what comes before the run can be said.
    place.refused(place.with_arguments({"buffer:8:out=" + output, "buffer:8", "f32:1"}), {said});
  };
  refused(place / "no/such/folder/x.npy", "No such file");
  refused((place / "scale.co") + "/x.npy", "Not a directory");
  refused((place / "x.npy") + ":shape=3", "3 elements of 1 bytes are not the buffer's 8 bytes");
  refused((place / "x.npy") + ":as=f32:shape=4x2", "4x2 elements of 4 bytes");
}

TEST_SUITE_END();
