// v_cmp_class: is the number of one of the classes named by a bit mask?

#include "sim/instructions/vector/access/compare_operation.h"
#include "sim/instructions/vector/access/float_order.h"

namespace hk::sim {

using namespace vector;

namespace {

enum ClassBit : unsigned {
  signalling_nan = 0,
  quiet_nan = 1,
  negative_infinity = 2,
  negative_normal = 3,
  negative_denormal = 4,
  negative_zero = 5,
  positive_zero = 6,
  positive_denormal = 7,
  positive_normal = 8,
  positive_infinity = 9,
};

template <typename Layout>
unsigned class_of(typename Layout::Bits a) {
  if (Layout::is_nan(a))
    return Layout::is_signalling(a) ? signalling_nan : quiet_nan;
  const bool negative = (a & Layout::sign) != 0;
  const auto magnitude = a & ~Layout::sign;
  if (magnitude == Layout::infinity)
    return negative ? negative_infinity : positive_infinity;
  if ((magnitude & Layout::infinity) != 0)
    return negative ? negative_normal : positive_normal;
  if (magnitude != 0)
    return negative ? negative_denormal : positive_denormal;
  return negative ? negative_zero : positive_zero;
}

// The number's bits are taken as they are: an integer tag keeps denormals although MODE may flush them elsewhere.
template <typename Tag, typename Layout>
void add_class_test(OperationTable& table, const std::string& type) {
  add_compare<Tag, U32>(table, "class_" + type,
                        [](Tag::Value a, std::uint32_t mask) { return ((mask >> class_of<Layout>(a)) & 1) != 0; });
}

} // namespace

void register_compare_class(OperationTable& table) {
  add_class_test<U32, FloatLayout32>(table, "f32");
  add_class_test<U16, HalfLayout>(table, "f16");
  add_class_test<U64, FloatLayout64>(table, "f64");
}

} // namespace hk::sim
