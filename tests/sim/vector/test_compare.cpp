#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

using Predicate = std::function<bool(double, double)>;

// By the definition: the N predicates are the negations, so they hold where a NaN is involved.
const std::map<std::string, Predicate> k_float_predicates = {
    {"f", [](double, double) { return false; }},
    {"lt", [](double a, double b) { return a < b; }},
    {"eq", [](double a, double b) { return a == b; }},
    {"le", [](double a, double b) { return a <= b; }},
    {"gt", [](double a, double b) { return a > b; }},
    {"lg", [](double a, double b) { return a < b || a > b; }},
    {"ge", [](double a, double b) { return a >= b; }},
    {"o", [](double a, double b) { return !std::isnan(a) && !std::isnan(b); }},
    {"u", [](double a, double b) { return std::isnan(a) || std::isnan(b); }},
    {"nge", [](double a, double b) { return std::isnan(a) || std::isnan(b) || a < b; }},
    {"nlg", [](double a, double b) { return std::isnan(a) || std::isnan(b) || a == b; }},
    {"ngt", [](double a, double b) { return std::isnan(a) || std::isnan(b) || a <= b; }},
    {"nle", [](double a, double b) { return std::isnan(a) || std::isnan(b) || a > b; }},
    {"neq", [](double a, double b) { return std::isnan(a) || std::isnan(b) || a != b; }},
    {"nlt", [](double a, double b) { return std::isnan(a) || std::isnan(b) || a >= b; }},
    {"tru", [](double, double) { return true; }},
};

constexpr double k_values[] = {0.0, -0.0, 1.0, -1.0, 0x1p-24, INFINITY, -INFINITY, NAN};

double left(unsigned lane) {
  return k_values[lane / 8];
}
double right(unsigned lane) {
  return k_values[lane % 8];
}

std::uint64_t expected_mask(const Predicate& holds) {
  std::uint64_t mask = 0;
  for (unsigned lane = 0; lane < 64; ++lane)
    mask |= std::uint64_t(holds(left(lane), right(lane))) << lane;
  return mask;
}

} // namespace

TEST_CASE("floating-point predicates on every pair of kinds, f32, f16 and f64") {
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return bits(float(left(lane))); });
  machine.set_each(2, [](unsigned lane) { return bits(float(right(lane))); });
  machine.set_each(3, [](unsigned lane) { return half_bits(left(lane)) | 0xabcd0000U; });
  machine.set_each(4, [](unsigned lane) { return half_bits(right(lane)); });
  machine.set_each_wide(6, [](unsigned lane) { return bits(left(lane)); });
  machine.set_each_wide(8, [](unsigned lane) { return bits(right(lane)); });
  for (const auto& [name, holds] : k_float_predicates) {
    CAPTURE(name);
    const std::uint64_t mask = expected_mask(holds);
    machine.run("v_cmp_" + name + "_f32_e32 vcc, v1, v2");
    CHECK(machine.wave().vcc() == mask);
    machine.run("v_cmp_" + name + "_f16_e64 s[4:5], v3, v4");
    CHECK(machine.wave().scalar64(4) == mask);
    machine.run("v_cmp_" + name + "_f64_e64 s[6:7], v[6:7], v[8:9]");
    CHECK(machine.wave().scalar64(6) == mask);
  }
}

TEST_CASE("integer predicates on signed and unsigned values of 16, 32 and 64 bits") {
  using Wide = std::int64_t;
  const std::map<std::string, std::function<bool(Wide, Wide)>> predicates = {
      {"f", [](Wide, Wide) { return false; }},       {"lt", [](Wide a, Wide b) { return a < b; }},
      {"eq", [](Wide a, Wide b) { return a == b; }}, {"le", [](Wide a, Wide b) { return a <= b; }},
      {"gt", [](Wide a, Wide b) { return a > b; }},  {"ne", [](Wide a, Wide b) { return a != b; }},
      {"ge", [](Wide a, Wide b) { return a >= b; }}, {"t", [](Wide, Wide) { return true; }},
  };
  const std::uint32_t values[] = {0, 1, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
  const auto a = [&](unsigned lane) { return values[lane / 8]; };
  const auto b = [&](unsigned lane) { return values[lane % 8]; };
  // 64-bit operands with these as upper and lower half; below 2^62 in magnitude so that Wide holds both readings.
  const auto wide = [](std::uint32_t value) { return (std::uint64_t(value & 0x3fffffff) << 32) | ~value; };
  VectorCase machine;
  machine.set_each(1, a);
  machine.set_each(2, b);
  machine.set_each_wide(4, [&](unsigned lane) { return wide(a(lane)); });
  machine.set_each_wide(6, [&](unsigned lane) { return wide(b(lane)); });
  for (const auto& [name, holds] : predicates) {
    CAPTURE(name);
    const auto mask = [&](const std::function<Wide(std::uint32_t)>& read) {
      std::uint64_t result = 0;
      for (unsigned lane = 0; lane < 64; ++lane)
        result |= std::uint64_t(holds(read(a(lane)), read(b(lane)))) << lane;
      return result;
    };
    const auto run = [&](const std::string& type, const std::string& operands) {
      machine.run("v_cmp_" + name + "_" + type + "_e64 vcc, " + operands);
      return machine.wave().vcc();
    };
    CHECK(run("u32", "v1, v2") == mask([](std::uint32_t v) { return Wide(v); }));
    CHECK(run("i32", "v1, v2") == mask([](std::uint32_t v) { return Wide(std::int32_t(v)); }));
    CHECK(run("u16", "v1, v2") == mask([](std::uint32_t v) { return Wide(v & 0xffff); }));
    CHECK(run("i16", "v1, v2") == mask([](std::uint32_t v) { return Wide(std::int16_t(v)); }));
    CHECK(run("u64", "v[4:5], v[6:7]") == mask([&](std::uint32_t v) { return Wide(wide(v)); }));
    CHECK(run("i64", "v[4:5], v[6:7]") == mask([&](std::uint32_t v) { return Wide(wide(v)); }));
  }
  machine.fill_wide(4, 0x8000000000000000);
  machine.fill_wide(6, 1);
  machine.run("v_cmp_lt_i64_e32 vcc, v[4:5], v[6:7]");
  CHECK(machine.wave().vcc() == ~std::uint64_t{0});
  machine.run("v_cmp_lt_u64_e32 vcc, v[4:5], v[6:7]");
  CHECK(machine.wave().vcc() == 0);
}

TEST_CASE("a compare writes the whole pair: 0 for lanes outside EXEC") {
  VectorCase machine;
  machine.fill(1, 1);
  machine.wave().set_exec(0xff00ff00ff00ff00);
  machine.wave().set_vcc(~std::uint64_t{0});
  machine.run("v_cmp_eq_u32_e32 vcc, 1, v1");
  CHECK(machine.wave().vcc() == 0xff00ff00ff00ff00);
  machine.wave().set_exec(0);
  machine.run("v_cmp_eq_u32_e32 vcc, 1, v1");
  CHECK(machine.wave().vcc() == 0);
}

TEST_CASE("v_cmpx also writes EXEC") {
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return lane; });
  machine.wave().set_exec(0xffff);
  machine.run("v_cmpx_gt_u32_e32 vcc, 4, v1");
  CHECK(machine.wave().vcc() == 0xf);
  CHECK(machine.wave().exec() == 0xf);
  machine.wave().set_exec(~std::uint64_t{0});
  machine.run("v_cmpx_lt_u32_e32 vcc, 60, v1");
  CHECK(machine.wave().vcc() == 0xe000000000000000);
  CHECK(machine.wave().exec() == 0xe000000000000000);
}

TEST_CASE("v_cmpx in VOP3: EXEC as destination executes; amd_comgr does not disassemble another one") {
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return lane; });
  machine.wave().set_vcc(0);
  machine.run("v_cmpx_gt_u32_e64 exec, 4, v1");
  CHECK(machine.wave().exec() == 0xf);
  CHECK(machine.wave().vcc() == 0);
  for (const Target target : {Target::gfx942, Target::gfx950}) {
    OneWave wave(target);
    for (const std::string type : {"f16", "f32", "i16", "u16", "i32", "u32"}) {
      for (const std::string destination : {"vcc", "s[4:5]"}) {
        const std::string text = "v_cmpx_lt_" + type + "_e64 " + destination + ", v1, v2";
        CAPTURE(text);
        const Instruction& instruction = wave.decode(text).instructions[0];
        CHECK(instruction.operation == nullptr);
        CHECK(instruction.text.starts_with(".long"));
      }
      const Instruction& accepted = wave.decode("v_cmpx_lt_" + type + "_e64 exec, v1, v2").instructions[0];
      CHECK(accepted.operation != nullptr);
    }
  }
}

TEST_CASE("v_cmp_class tells the ten classes apart") {
  VectorCase machine;
  const std::uint32_t singles[] = {0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                                   0x80000000, 0,          1,          0x3f800000, 0x7f800000};
  const std::uint32_t halves[] = {0x7c01, 0x7e00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0, 1, 0x3c00, 0x7c00};
  const std::uint64_t doubles[] = {0x7ff0000000000001,
                                   0x7ff8000000000000,
                                   0xfff0000000000000,
                                   0xbff0000000000000,
                                   0x8000000000000001,
                                   0x8000000000000000,
                                   0,
                                   1,
                                   0x3ff0000000000000,
                                   0x7ff0000000000000};
  const auto one_of = [](const auto& table) { return [&table](unsigned lane) { return table[lane % 10]; }; };
  machine.set_each(1, one_of(singles));
  machine.set_each(2, one_of(halves));
  machine.set_each_wide(4, one_of(doubles));
  machine.wave().mode = 0x300; // denormals flushed elsewhere, not here
  for (unsigned bit = 0; bit < 10; ++bit) {
    CAPTURE(bit);
    machine.fill(3, 1U << bit);
    std::uint64_t mask = 0;
    for (unsigned lane = 0; lane < 64; ++lane)
      mask |= std::uint64_t(lane % 10 == bit) << lane;
    machine.run("v_cmp_class_f32_e32 vcc, v1, v3");
    CHECK(machine.wave().vcc() == mask);
    machine.run("v_cmp_class_f16_e32 vcc, v2, v3");
    CHECK(machine.wave().vcc() == mask);
    machine.run("v_cmp_class_f64_e32 vcc, v[4:5], v3");
    CHECK(machine.wave().vcc() == mask);
  }
  machine.run("v_cmp_class_f32_e64 s[4:5], -v1, 0x20"); // minus zero: the negated +0 of lane 6, 16, ...
  CHECK((machine.wave().scalar64(4) & 0x3ff) == 1U << 6);
}

TEST_CASE("modifiers apply to compares") {
  VectorCase machine;
  machine.fill(1, bits(-2.0F));
  machine.fill(2, bits(1.0F));
  machine.run("v_cmp_lt_f32_e64 vcc, |v1|, v2");
  CHECK(machine.wave().vcc() == 0);
  machine.run("v_cmp_lt_f32_e64 vcc, v2, -v1");
  CHECK(machine.wave().vcc() == ~std::uint64_t{0});
}
