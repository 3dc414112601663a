package dev.ply.bpf.verifier.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class TnumTest {
  private static final List<Tnum> FOUR_BITS = fourBits();

  private record Binary(String name, BinaryOperator<Tnum> known, LongBinaryOperator exact) {}

  private static final List<Binary> BINARY =
      List.of(
          new Binary("add", Tnum::add, (a, b) -> a + b),
          new Binary("sub", Tnum::sub, (a, b) -> a - b),
          new Binary("mul", Tnum::mul, (a, b) -> a * b),
          new Binary("and", Tnum::and, (a, b) -> a & b),
          new Binary("or", Tnum::or, (a, b) -> a | b),
          new Binary("xor", Tnum::xor, (a, b) -> a ^ b));

  @Test
  void binaryOperationsOnFourBitsAreSound() {
    for (Binary operation : BINARY) {
      for (Tnum left : FOUR_BITS) {
        for (Tnum right : FOUR_BITS) {
          Tnum result = operation.known().apply(left, right);
          for (long a : members(left)) {
            for (long b : members(right)) {
              if (!result.contains(operation.exact().applyAsLong(a, b))) {
                throw new AssertionError(operation.name() + " " + left + " " + right);
              }
            }
          }
        }
      }
    }
  }

  @Test
  void bitwiseOperationsAdditionAndSubtractionOnFourBitsAreOptimal() {
    for (Binary operation : BINARY) {
      if (operation.name().equals("mul")) {
        continue; // The kernel's product is sound, not optimal.
      }
      for (Tnum left : FOUR_BITS) {
        for (Tnum right : FOUR_BITS) {
          long ones = -1;
          long zeroes = -1;
          for (long a : members(left)) {
            for (long b : members(right)) {
              ones &= operation.exact().applyAsLong(a, b);
              zeroes &= ~operation.exact().applyAsLong(a, b);
            }
          }
          assertThat(operation.known().apply(left, right))
              .isEqualTo(new Tnum(ones, ~(ones | zeroes)));
        }
      }
    }
  }

  @Test
  void shiftsTruncationAndExtensionOnFourBitsAreSound() {
    for (Tnum number : FOUR_BITS) {
      for (int count = 0; count < 64; count++) {
        int by = count;
        assertUnary(number, tnum -> tnum.lsh(by), a -> a << by);
        assertUnary(number.lsh(60), tnum -> tnum.rsh(by), a -> a >>> by);
        assertUnary(number.lsh(60), tnum -> tnum.arsh(by), a -> a >> by);
        assertUnary(number.lsh(6), tnum -> tnum.signExtend(1), a -> (byte) a);
        assertUnary(number.lsh(14), tnum -> tnum.signExtend(2), a -> (short) a);
        assertUnary(number.lsh(30), tnum -> tnum.signExtend(4), a -> (int) a);
        assertUnary(number.lsh(30), tnum -> tnum.truncate(4), a -> a & 0xffff_ffffL);
      }
      for (int count = 0; count < 32; count++) {
        int by = count;
        assertUnary(number.lsh(28), tnum -> tnum.arsh32(by), a -> ((int) a >> by) & 0xffff_ffffL);
      }
    }
  }

  @Test
  void latticeOperationsOnFourBitsAgreeWithSets() {
    for (Tnum left : FOUR_BITS) {
      for (Tnum right : FOUR_BITS) {
        List<Long> both = new ArrayList<>(members(left));
        both.retainAll(members(right));
        assertThat(left.isSubsumedBy(right)).isEqualTo(members(right).containsAll(members(left)));
        assertThat(left.isDisjointFrom(right)).isEqualTo(both.isEmpty());
        if (!both.isEmpty()) {
          assertThat(members(left.intersect(right))).containsExactlyElementsOf(both);
        }
        assertThat(left.isSubsumedBy(left.join(right))).isTrue();
        assertThat(right.isSubsumedBy(left.join(right))).isTrue();
      }
    }
  }

  @Test
  void rangeOnFourBitsContainsAllValues() {
    for (long min = 0; min < 16; min++) {
      for (long max = min; max < 16; max++) {
        Tnum range = Tnum.range(min, max);
        for (long a = min; a <= max; a++) {
          assertThat(range.contains(a)).isTrue();
        }
      }
    }
    assertThat(Tnum.range(0, -1)).isEqualTo(Tnum.top());
  }

  @Property
  void binaryOperationsOnSixtyFourBitsAreSound(
      @ForAll long a, @ForAll long b, @ForAll long unknownA, @ForAll long unknownB) {
    Tnum left = new Tnum(a & ~unknownA, unknownA);
    Tnum right = new Tnum(b & ~unknownB, unknownB);
    for (Binary operation : BINARY) {
      assertThat(operation.known().apply(left, right).contains(operation.exact().applyAsLong(a, b)))
          .as(operation.name())
          .isTrue();
    }
    assertThat(left.join(right).contains(a)).isTrue();
    assertThat(left.join(right).contains(b)).isTrue();
  }

  @Property
  void shiftsOfSixtyFourBitsAreSound(
      @ForAll long a, @ForAll long unknown, @ForAll @IntRange(max = 63) int count) {
    Tnum number = new Tnum(a & ~unknown, unknown);
    assertThat(number.lsh(count).contains(a << count)).isTrue();
    assertThat(number.rsh(count).contains(a >>> count)).isTrue();
    assertThat(number.arsh(count).contains(a >> count)).isTrue();
  }

  private static void assertUnary(Tnum number, UnaryOperator<Tnum> known, LongUnaryOperator exact) {
    Tnum result = known.apply(number);
    for (long a : members(number)) {
      if (!result.contains(exact.applyAsLong(a))) {
        throw new AssertionError(number + " gave " + result + " without that of " + a);
      }
    }
  }

  private static List<Long> members(Tnum number) {
    List<Long> members = new ArrayList<>();
    long subset = 0;
    do {
      members.add(number.value() | subset);
      subset = (subset - number.mask()) & number.mask();
    } while (subset != 0);
    return members;
  }

  private static List<Tnum> fourBits() {
    List<Tnum> all = new ArrayList<>();
    for (int mask = 0; mask < 16; mask++) {
      for (int value = 0; value < 16; value++) {
        if ((value & mask) == 0) {
          all.add(new Tnum(value, mask));
        }
      }
    }
    return all;
  }
}
