// The shared layouts of gfx942 and gfx950: every element has one place, writers and readers agree on it, and no access
// of the legal tile shapes has a bank conflict. Phase tables: see shared_layout.h of each target.

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include <hk/arch/gfx942/register_layout.h>
#include <hk/arch/gfx942/shared_layout.h>
#include <hk/arch/gfx950/register_layout.h>
#include <hk/arch/gfx950/shared_layout.h>

using namespace hk;

TEST_SUITE_BEGIN("kernels.shared_layouts");

namespace {

constexpr int k_lanes = 64;
using LaneAddress = std::function<int(int)>; // byte address of a lane
using Groups = std::vector<std::vector<int>>;

Groups consecutive(int lanes_per_group) {
  Groups groups(k_lanes / lanes_per_group);
  for (int lane = 0; lane < k_lanes; ++lane)
    groups[lane / lanes_per_group].push_back(lane);
  return groups;
}

/// From groups of the lower half of the wave, those of the whole wave.
Groups both_halves(Groups lower) {
  const std::size_t count = lower.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<int> upper = lower[i];
    for (int& lane : upper)
      lane += 32;
    lower.push_back(upper);
  }
  return lower;
}

Groups read_b128_groups_of_8() {
  return both_halves({{0, 1, 2, 3, 20, 21, 22, 23},
                      {4, 5, 6, 7, 16, 17, 18, 19},
                      {8, 9, 10, 11, 28, 29, 30, 31},
                      {12, 13, 14, 15, 24, 25, 26, 27}});
}

Groups read_b128_groups_of_16() {
  return both_halves({{0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27},
                      {4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31}});
}

/// Largest number of different words of one bank that a group touches: 1 is free of conflicts.
int conflict_ways(const Groups& groups, const LaneAddress& address, int bytes_per_lane, int banks) {
  int ways = 0;
  for (const std::vector<int>& group : groups) {
    std::map<int, std::set<int>> words_of_bank;
    for (const int lane : group)
      for (int word = address(lane) / 4; word < (address(lane) + bytes_per_lane) / 4; ++word)
        words_of_bank[word % banks].insert(word);
    for (const auto& [bank, words] : words_of_bank)
      ways = std::max(ways, static_cast<int>(words.size()));
  }
  return ways;
}

/// Shared memory by 16-bit element: what lies there, as row * 1000 + column, or -1.
using Memory = std::vector<int>;

template <class Check>
void for_legal_tiles(const Check& check) {
  check.template operator()<32, 64>();
  check.template operator()<64, 64>();
  check.template operator()<128, 64>();
  check.template operator()<32, 128>();
  check.template operator()<64, 128>();
}

template <class Layout, int Rows, int Columns>
Memory fill_rows() {
  Memory memory(Rows * Columns, -1);
  for (int row = 0; row < Rows; ++row)
    for (int column = 0; column < Columns; ++column) {
      int& place = memory.at(Layout::offset(row, column / 8) / 2 + column % 8);
      CHECK(place == -1);
      place = row * 1000 + column;
    }
  return memory;
}

} // namespace

TEST_CASE("the measure of conflicts: known patterns") {
  const auto row_major_256 = [](int lane) { return lane % 32 * 256; };
  CHECK(conflict_ways(read_b128_groups_of_8(), row_major_256, 16, 32) == 8);
  CHECK(conflict_ways(read_b128_groups_of_16(), row_major_256, 16, 64) == 16);
  CHECK(conflict_ways(consecutive(8), [](int lane) { return lane * 16; }, 16, 32) == 1);
  CHECK(conflict_ways(consecutive(16), [](int lane) { return lane * 16; }, 8, 32) == 2);
  CHECK(conflict_ways(consecutive(16), [](int) { return 64; }, 8, 32) == 1); // one word for all is broadcast
}

TEST_CASE("gfx942, depth along columns: rows are stored whole, read as fragments in memory order") {
  for_legal_tiles([]<int Rows, int Columns>() {
    using Layout = gfx942::SharedLayout<Rows, Columns, DepthAxis::columns>;
    using Operand = gfx942::OperandLayout;
    const Memory memory = fill_rows<Layout, Rows, Columns>();
    for (int major = 0; major < Rows / 32; ++major)
      for (int depth = 0; depth < Columns / 16; ++depth) {
        const auto address = [&](int lane) { return Layout::read_offset(lane, major, depth); };
        for (int lane = 0; lane < k_lanes; ++lane)
          for (int element = 0; element < 8; ++element) {
            const Coordinate at = Operand::coordinate(DepthOrder::memory, lane, element);
            CHECK(memory.at(address(lane) / 2 + element) == (32 * major + at.row) * 1000 + 16 * depth + at.column);
          }
        CHECK(conflict_ways(read_b128_groups_of_8(), address, 16, 32) == 1);
      }
    // ds_write_b128: consecutive lanes write consecutive chunks.
    constexpr int chunks = Columns / 8;
    for (int first = 0; first < Layout::k_chunks; first += k_lanes) {
      const auto address = [&](int lane) { return Layout::offset((first + lane) / chunks, (first + lane) % chunks); };
      CHECK(conflict_ways(consecutive(8), address, 16, 32) == 1);
    }
  });
}

TEST_CASE("gfx942, depth along rows: blocks are stored transposed, read as fragments in accumulator order") {
  for_legal_tiles([]<int Rows, int Columns>() {
    using Layout = gfx942::SharedLayout<Rows, Columns, DepthAxis::rows>;
    using Operand = gfx942::OperandLayout;
    // As the writer does: each position transposes a block and writes 8 bytes for each of its columns.
    Memory memory(Rows * Columns, -1);
    for (int position = 0; position < Layout::k_blocks; ++position) {
      const Coordinate block = Layout::block_at(position);
      for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row) {
          int& place = memory.at(Layout::offset(block.row, block.column + column) / 2 + row);
          CHECK(place == -1);
          place = (block.row + row) * 1000 + block.column + column;
        }
    }
    CHECK(std::count(memory.begin(), memory.end(), -1) == 0);
    for (int major = 0; major < Columns / 32; ++major)
      for (int depth = 0; depth < Rows / 16; ++depth) {
        const auto address = [&](int lane) { return Layout::read_offset(lane, major, depth); };
        for (int lane = 0; lane < k_lanes; ++lane)
          for (int element = 0; element < 8; ++element) {
            const Coordinate at = Operand::coordinate(DepthOrder::accumulator, lane, element);
            CHECK(memory.at(address(lane) / 2 + element) == (16 * depth + at.column) * 1000 + 32 * major + at.row);
          }
        CHECK(conflict_ways(read_b128_groups_of_8(), address, 16, 32) == 1);
      }
    for (int first = 0; first < Layout::k_blocks; first += k_lanes)
      for (int column = 0; column < 4; ++column) {
        const auto address = [&](int lane) {
          const Coordinate block = Layout::block_at(first + lane);
          return Layout::offset(block.row, block.column + column);
        };
        CHECK(conflict_ways(consecutive(16), address, 8, 32) == 1);
      }
  });
}

TEST_CASE("gfx942, depth along rows: the block of a pass plus a thread is the sum of their blocks") {
  for_legal_tiles([]<int Rows, int Columns>() {
    using Layout = gfx942::SharedLayout<Rows, Columns, DepthAxis::rows>;
    for (const int threads : {64, 128, 256, 512})
      for (int pass = 0; pass < Layout::k_blocks; pass += threads)
        for (int thread = 0; thread < threads && pass + thread < Layout::k_blocks; ++thread)
          CHECK(Layout::block_at(pass + thread) == Layout::block_at(pass) + Layout::block_at(thread));
  });
}

TEST_CASE("gfx942, depth along rows: a wave's loads cover whole 128-byte pieces of rows") {
  for_legal_tiles([]<int Rows, int Columns>() {
    using Layout = gfx942::SharedLayout<Rows, Columns, DepthAxis::rows>;
    for (int first = 0; first < Layout::k_blocks; first += k_lanes) {
      std::map<int, std::set<int>> columns_of_row;
      for (int lane = 0; lane < k_lanes; ++lane) {
        const Coordinate block = Layout::block_at(first + lane);
        columns_of_row[block.row].insert(block.column);
      }
      for (const auto& [row, columns] : columns_of_row) {
        CHECK(*columns.begin() % 64 == 0);
        CHECK(columns.size() == 16);
        CHECK(*columns.rbegin() - *columns.begin() == 60);
      }
    }
  });
}

TEST_CASE("gfx950: what the direct load puts at a position is what offset says") {
  const auto check = []<int Rows, int Columns, DepthAxis Axis>() {
    using Layout = gfx950::SharedLayout<Rows, Columns, Axis>;
    for (int position = 0; position < Layout::k_chunks; ++position) {
      const Coordinate chunk = Layout::chunk_at(position);
      CHECK(Layout::offset(chunk.row, chunk.column) == position * 16);
    }
    // A row is read whole, so a wave's global loads stay contiguous although its chunks are permuted.
    for (int row = 0; row < Rows; ++row) {
      std::set<int> chunks;
      for (int i = 0; i < Columns / 8; ++i)
        chunks.insert(Layout::chunk_at(row * (Columns / 8) + i).column);
      CHECK(static_cast<int>(chunks.size()) == Columns / 8);
    }
  };
  for_legal_tiles([&]<int Rows, int Columns>() {
    check.template operator()<Rows, Columns, DepthAxis::columns>();
    check.template operator()<Rows, Columns, DepthAxis::rows>();
  });
}

TEST_CASE("gfx950, depth along columns: fragments in memory order") {
  for_legal_tiles([]<int Rows, int Columns>() {
    using Layout = gfx950::SharedLayout<Rows, Columns, DepthAxis::columns>;
    using Operand = gfx950::OperandLayout;
    const Memory memory = fill_rows<Layout, Rows, Columns>();
    for (int major = 0; major < Rows / 32; ++major)
      for (int depth = 0; depth < Columns / 16; ++depth) {
        const auto address = [&](int lane) { return Layout::read_offset(lane, major, depth); };
        for (int lane = 0; lane < k_lanes; ++lane)
          for (int element = 0; element < 8; ++element) {
            const Coordinate at = Operand::coordinate(DepthOrder::memory, lane, element);
            CHECK(memory.at(address(lane) / 2 + element) == (32 * major + at.row) * 1000 + 16 * depth + at.column);
          }
        CHECK(conflict_ways(read_b128_groups_of_16(), address, 16, 64) == 1);
        CHECK(conflict_ways(read_b128_groups_of_8(), address, 16, 32) == 1);
      }
  });
}

TEST_CASE("gfx950, depth along rows: transposing reads give fragments in accumulator order") {
  for_legal_tiles([]<int Rows, int Columns>() {
    using Layout = gfx950::SharedLayout<Rows, Columns, DepthAxis::rows>;
    using Operand = gfx950::OperandLayout;
    const Memory memory = fill_rows<Layout, Rows, Columns>();
    for (int major = 0; major < Columns / 32; ++major)
      for (int depth = 0; depth < Rows / 16; ++depth)
        for (int part = 0; part < 2; ++part) {
          const auto address = [&](int lane) { return Layout::transposed_read_offset(lane, major, depth, part); };
          for (int lane = 0; lane < k_lanes; ++lane)
            for (int i = 0; i < 4; ++i) {
              // ds_read_b64_tr_b16: of the 4 x 16 elements that 16 lanes name, row by row, lane l gets column l % 16.
              const int giver = lane / 16 * 16 + i * 4 + lane % 16 / 4;
              const int got = memory.at(address(giver) / 2 + lane % 4);
              const Coordinate at = Operand::coordinate(DepthOrder::accumulator, lane, 4 * part + i);
              CHECK(got == (16 * depth + at.column) * 1000 + 32 * major + at.row);
            }
          CHECK(conflict_ways(consecutive(32), address, 8, 64) == 1);
          CHECK(conflict_ways(consecutive(16), address, 8, 32) == 1);
        }
  });
}

TEST_SUITE_END();
