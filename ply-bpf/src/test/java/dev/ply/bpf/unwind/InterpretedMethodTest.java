package dev.ply.bpf.unwind;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

final class InterpretedMethodTest {
  @Property
  void aWordTellsMethodAndBytecode(
      @ForAll @LongRange(min = 0, max = (1L << 48) - 1) long method,
      @ForAll @IntRange(max = InterpretedMethod.UNKNOWN_BYTECODE - 1) int bytecode) {
    InterpretedMethod known = new InterpretedMethod(method, OptionalInt.of(bytecode));
    InterpretedMethod unknown = new InterpretedMethod(method, OptionalInt.empty());
    assertThat(InterpretedMethod.is(known.word())).isTrue();
    assertThat(InterpretedMethod.of(known.word())).isEqualTo(known);
    assertThat(InterpretedMethod.is(unknown.word())).isTrue();
    assertThat(InterpretedMethod.of(unknown.word())).isEqualTo(unknown);
  }

  @Property
  void addressesAndMarkersAreNoMethods(@ForAll @LongRange(min = 0) long address) {
    assertThat(InterpretedMethod.is(address)).isFalse();
    for (UnwindEnd end : UnwindEnd.values()) {
      assertThat(InterpretedMethod.is(end.marker())).isFalse();
    }
  }
}
