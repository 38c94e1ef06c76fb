// The layouts of arch/sm80: every element has one place, ldmatrix delivers fragments whose elements are where the
// register layout says, in the registers that products take, and no access has a bank conflict.

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include <hk/arch/sm80/register_layout.h>
#include <hk/arch/sm80/shared_layout.h>

using namespace hk;

TEST_SUITE_BEGIN("kernels.sm80.shared_layout");

namespace {

constexpr int k_lanes = 32;
constexpr int k_banks = 32;
using LaneAddress = std::function<int(int)>; // byte address of a lane

/// Largest number of different words of one bank that 8 consecutive lanes, 16 bytes each, touch: 1 is free of
/// conflicts.
int conflict_ways(const LaneAddress& address) {
  int ways = 0;
  for (int first = 0; first < k_lanes; first += 8) {
    std::map<int, std::set<int>> words_of_bank;
    for (int lane = first; lane < first + 8; ++lane)
      for (int word = address(lane) / 4; word < address(lane) / 4 + 4; ++word)
        words_of_bank[word % k_banks].insert(word);
    for (const auto& [bank, words] : words_of_bank)
      ways = std::max(ways, static_cast<int>(words.size()));
  }
  return ways;
}

template <class Check>
void for_legal_tiles(const Check& check) {
  check.template operator()<16, 64>();
  check.template operator()<32, 64>();
  check.template operator()<64, 64>();
  check.template operator()<128, 64>();
  check.template operator()<16, 128>();
  check.template operator()<32, 128>();
  check.template operator()<64, 128>();
  check.template operator()<128, 128>();
}

/// Shared memory by 16-bit element: what lies there, as row * 1000 + column, or -1.
template <class Layout, int Rows, int Columns>
std::vector<int> filled() {
  std::vector<int> memory(Rows * Columns, -1);
  for (int row = 0; row < Rows; ++row)
    for (int column = 0; column < Columns; ++column) {
      int& place = memory.at(Layout::offset(row, column / 8) / 2 + column % 8);
      CHECK(place == -1);
      place = row * 1000 + column;
    }
  return memory;
}

/// Register `matrix` of lane `lane` after ldmatrix.x4: two elements, from the PTX ISA. Lanes 8 m to 8 m + 7 name the
/// rows of matrix m; lane l gets elements 2 (l % 4) and the next of row l / 4, or with .trans of column l / 4.
std::array<int, 2> ldmatrix(const std::vector<int>& memory, const LaneAddress& address, bool transposed, int lane,
                            int matrix) {
  std::array<int, 2> got = {};
  for (int i = 0; i < 2; ++i) {
    const int along = 2 * (lane % 4) + i;
    const int row = transposed ? along : lane / 4;
    const int column = transposed ? lane / 4 : along;
    got.at(i) = memory.at(address(8 * matrix + row) / 2 + column);
  }
  return got;
}

} // namespace

TEST_CASE("the measure of conflicts: known patterns") {
  CHECK(conflict_ways([](int lane) { return lane * 256; }) == 8);
  CHECK(conflict_ways([](int lane) { return lane * 128 + lane % 2 * 16; }) == 4);
  CHECK(conflict_ways([](int lane) { return lane * 16; }) == 1);
  CHECK(conflict_ways([](int) { return 64; }) == 1); // one word for all is broadcast
}

TEST_CASE("writes: consecutive lanes write consecutive chunks without conflicts") {
  for_legal_tiles([]<int Rows, int Columns>() {
    using Layout = sm80::SharedLayout<Rows, Columns>;
    constexpr int chunks = Columns / 8;
    for (int first = 0; first < Layout::k_chunks; first += k_lanes)
      CHECK(conflict_ways([&](int lane) { return Layout::offset((first + lane) / chunks, (first + lane) % chunks); }) ==
            1);
    // The layout repeats every 8 rows, so passes of 8 rows are a constant apart.
    for (int row = 8; row < Rows; ++row)
      for (int chunk = 0; chunk < chunks; ++chunk)
        CHECK(Layout::offset(row, chunk) == Layout::offset(row - 8, chunk) + 8 * Columns * 2);
  });
}

TEST_CASE("reads: the four quarters in both orders, plain and transposed, are fragments") {
  for_legal_tiles([]<int Rows, int Columns>() {
    using Layout = sm80::SharedLayout<Rows, Columns>;
    const std::vector<int> memory = filled<Layout, Rows, Columns>();
    for (const sm80::QuarterOrder order : {sm80::QuarterOrder::rows_first, sm80::QuarterOrder::columns_first})
      for (int row_block = 0; row_block < Rows / 16; ++row_block)
        for (int column_block = 0; column_block < Columns / 16; ++column_block) {
          const auto address = [&](int lane) { return Layout::read_offset(order, lane, row_block, column_block); };
          CHECK(conflict_ways(address) == 1);
          for (const bool transposed : {false, true})
            for (int lane = 0; lane < k_lanes; ++lane)
              for (int matrix = 0; matrix < 4; ++matrix) {
                // An operand's words go down its major index first. So do the matrices if the major index is that of
                // the rows and they come rows first, or if neither; else the second and third change places.
                const bool major_first = (order == sm80::QuarterOrder::rows_first) != transposed;
                const int word = major_first || matrix % 3 == 0 ? matrix : 3 - matrix;
                const std::array<int, 2> got = ldmatrix(memory, address, transposed, lane, matrix);
                for (int i = 0; i < 2; ++i) {
                  const Coordinate at = sm80::OperandLayout::coordinate(DepthOrder::memory, lane, 2 * word + i);
                  const int row = 16 * row_block + (transposed ? at.column : at.row);
                  const int column = 16 * column_block + (transposed ? at.row : at.column);
                  CHECK(got.at(i) == row * 1000 + column);
                }
              }
        }
  });
}

TEST_CASE("registers: a block of the result is an A operand, element by element") {
  for (int lane = 0; lane < k_lanes; ++lane)
    for (int element = 0; element < 8; ++element)
      CHECK(sm80::AccumulatorLayout::coordinate(lane, element) ==
            sm80::OperandLayout::coordinate(DepthOrder::accumulator, lane, element));
  // PTX ISA, m16n8k16: a4 of lane 5 is row 1, column 10; c2 of lane 5 is row 9, column 2.
  CHECK(sm80::OperandLayout::coordinate(DepthOrder::memory, 5, 4) == Coordinate{1, 10});
  CHECK(sm80::AccumulatorLayout::coordinate(5, 2) == Coordinate{9, 2});
}

TEST_SUITE_END();
