package dev.ply.bpf.unwind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.unwind.UnwindRule.Kind;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class UnwindRuleTest {
  @Property
  void whatIsEncodedIsDecoded(
      @ForAll Kind kind,
      @ForAll @IntRange(min = -(1 << 19), max = (1 << 19) - 1) int offset,
      @ForAll @IntRange(max = UnwindRule.AT_REGISTER) int saved) {
    UnwindRule rule = new UnwindRule(kind, offset, saved);
    assertThat(UnwindRule.decoded(rule.encoded())).isEqualTo(rule);
  }

  @Property
  void allBitsAreARule(@ForAll int bits) {
    assertThat(UnwindRule.decoded(bits).toString()).isNotEmpty();
  }

  @Test
  void numbersThatDoNotFitAreRefused() {
    assertThat(UnwindRule.fits(1 << 19, 0)).isFalse();
    assertThatThrownBy(() -> new UnwindRule(Kind.SP, 0, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("SP of 0 and 256 words");
  }

  @Test
  void aTableFindsTheLastRowAtOrBefore() {
    int first = new UnwindRule(Kind.SP, 1, 0).encoded();
    int second = new UnwindRule(Kind.FP, 2, 2).encoded();
    long[] rows = {UnwindTable.row(0x10, first), UnwindTable.row(0x20, second), 0};
    UnwindTable table = UnwindTable.of(0x1000, rows, 2);
    assertThat(table.rule(0x100f)).isEqualTo(UnwindRule.MISSING);
    assertThat(table.rule(0x1010)).hasToString("sp+8");
    assertThat(table.rule(0x101f)).hasToString("sp+8");
    assertThat(table.rule(0x1020)).hasToString("fp+16 fp@-16");
    assertThat(table.rule(0x7fff_ffff)).hasToString("fp+16 fp@-16");
    assertThat(table.rule(0xfff)).isEqualTo(UnwindRule.MISSING);
    assertThat(table.rule(-1)).isEqualTo(UnwindRule.MISSING);
    assertThat(table.dump()).isEqualTo("1010 sp+8\n1020 fp+16 fp@-16\n");
  }

  @Test
  void aRangeGetsAnotherRule() {
    int first = new UnwindRule(Kind.SP, 1, 0).encoded();
    int second = new UnwindRule(Kind.FP, 2, 2).encoded();
    long[] rows = {UnwindTable.row(0x10, first), UnwindTable.row(0x20, second)};
    UnwindTable table = UnwindTable.of(0x1000, rows, 2);
    assertThat(table.with(0x14, 0x18, UnwindRule.SIGNAL).dump())
        .isEqualTo("1010 sp+8\n1014 signal frame\n1018 sp+8\n1020 fp+16 fp@-16\n");
    assertThat(table.with(0x18, 0x24, UnwindRule.END).dump())
        .isEqualTo("1010 sp+8\n1018 end\n1024 fp+16 fp@-16\n");
    assertThat(table.with(0x10, 0x20, UnwindRule.END).dump())
        .isEqualTo("1010 end\n1020 fp+16 fp@-16\n");
    assertThat(table.with(1, 2, UnwindRule.END).dump())
        .isEqualTo("1001 end\n1002 none\n1010 sp+8\n1020 fp+16 fp@-16\n");
  }
}
