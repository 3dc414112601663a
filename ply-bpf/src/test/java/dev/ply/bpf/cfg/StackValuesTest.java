package dev.ply.bpf.cfg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StackValuesTest {
  private static final int STACK = 32;

  private final StackValues stack = new StackValues();
  private final ValueTable table = new ValueTable();

  @Test
  void partialOverwriteRemovesARange() {
    stack.set(-16, 8, 5);
    stack.set(-8, 8, 6);
    stack.set(-12, 2, 7);
    assertThat(stack.get(-16, 8, table)).isZero();
    assertThat(stack.get(-12, 2, table)).isEqualTo(7);
    assertThat(stack.get(-8, 8, table)).isEqualTo(6);
  }

  @Test
  void bytesOfARangeArePartsOfItsValue() {
    stack.set(-16, 16, 5);
    int part = stack.get(-8, 4, table);
    assertThat(part).isNotZero().isNotEqualTo(5).isEqualTo(stack.get(-8, 4, table));
    assertThat(stack.get(-12, 4, table)).isNotEqualTo(part);
    assertThat(stack.get(-4, 8, table)).isZero();
    assertThat(stack.get(-20, 4, table)).isZero();
  }

  @Test
  void partsMustBeAdjacent() {
    stack.set(-16, 4, 5);
    stack.set(-12, 4, 6);
    stack.set(-4, 4, 7);
    assertThat(stack.parts(-16, 8)).isEqualTo(Optional.of(List.of(4, 5, 4, 6)));
    assertThat(stack.parts(-16, 6)).isEmpty();
    assertThat(stack.parts(-12, 12)).isEmpty();
    assertThat(stack.parts(-14, 2)).isEmpty();
  }

  @Test
  void joinKeepsCommonRanges() {
    StackValues other = stack.copy();
    stack.set(-24, 8, 1);
    stack.set(-16, 8, 2);
    stack.set(-8, 8, 3);
    other.set(-24, 8, 1);
    other.set(-16, 4, 2);
    other.set(-8, 8, 4);
    assertThat(stack.join(other, (mine, theirs, offset) -> mine == theirs ? mine : 9)).isTrue();
    assertThat(stack.get(-24, 8, table)).isEqualTo(1);
    assertThat(stack.get(-16, 8, table)).isZero();
    assertThat(stack.get(-8, 8, table)).isEqualTo(9);
    assertThat(stack.join(stack.copy(), (mine, theirs, offset) -> mine)).isFalse();
  }

  /** Compares with a model that stores for each byte the write it belongs to. */
  @Property(tries = 500)
  void getReturnsTheLastWrite(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int steps) {
    StackValues stack = new StackValues();
    Random random = new Random(seed);
    int[] owners = new int[STACK];
    List<int[]> ranges = new ArrayList<>(List.of(new int[] {0, 0}));
    for (int step = 1; step <= steps; step++) {
      int size = 1 << random.nextInt(5);
      int offset = random.nextInt(STACK / size) * size;
      boolean isSet = random.nextInt(4) > 0;
      if (isSet) {
        stack.set(offset - STACK, size, step);
      } else {
        stack.clear(offset - STACK, size);
      }
      for (int i = offset; i < offset + size; i++) {
        clear(owners, owners[i]);
      }
      ranges.add(new int[] {offset, size});
      for (int i = offset; isSet && i < offset + size; i++) {
        owners[i] = step;
      }
    }
    for (int i = 0; i < STACK; i++) {
      int[] range = ranges.get(owners[i]);
      int known = owners[i] == 0 ? 0 : stack.get(range[0] - STACK, range[1], table);
      assertThat(known).isEqualTo(owners[i]);
      assertThat(stack.get(i - STACK, 1, table) == 0).isEqualTo(owners[i] == 0);
    }
  }

  private static void clear(int[] owners, int owner) {
    for (int i = 0; i < owners.length; i++) {
      owners[i] = owners[i] == owner ? 0 : owners[i];
    }
  }
}
