package dev.ply.bpf.verifier.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Width;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class ScalarTest {
  /** A number and an abstract number around it. */
  record Sample(long concrete, Scalar known) {}

  @Property(tries = 20_000)
  void arithmeticIsSound(
      @ForAll AluOp op,
      @ForAll Width width,
      @ForAll("samples") Sample left,
      @ForAll("samples") Sample right) {
    Scalar result = ScalarArithmetic.apply(op, width, left.known(), right.known());
    long exact = Machine.compute(op, width, left.concrete(), right.concrete());
    assertThat(result.contains(exact)).as("%s, not %s", result, exact).isTrue();
  }

  @Property(tries = 20_000)
  void arithmeticWithSmallConstantsIsSound(
      @ForAll AluOp op, @ForAll Width width, @ForAll("samples") Sample left, @ForAll byte right) {
    Scalar result = ScalarArithmetic.apply(op, width, left.known(), Scalar.constant(right));
    long exact = Machine.compute(op, width, left.concrete(), right);
    assertThat(result.contains(exact)).as("%s, not %s", result, exact).isTrue();
  }

  @Property(tries = 20_000)
  void comparisonIsSound(
      @ForAll JumpOp op,
      @ForAll Width width,
      @ForAll("samples") Sample left,
      @ForAll("samples") Sample right) {
    assertComparison(op, width, left, right);
  }

  @Property(tries = 20_000)
  void comparisonWithAConstantIsSound(
      @ForAll JumpOp op, @ForAll Width width, @ForAll("samples") Sample left, @ForAll int right) {
    assertComparison(op, width, left, new Sample(right, Scalar.constant(right)));
    long near = left.concrete() + right % 3;
    assertComparison(op, width, left, new Sample(near, Scalar.constant(near)));
  }

  @Property(tries = 10_000)
  void truncationAndExtensionAreSound(@ForAll("samples") Sample sample) {
    long a = sample.concrete();
    assertThat(sample.known().truncate(1).contains(a & 0xff)).isTrue();
    assertThat(sample.known().truncate(2).contains(a & 0xffff)).isTrue();
    assertThat(sample.known().truncate(4).contains(a & 0xffff_ffffL)).isTrue();
    assertThat(sample.known().signExtend(1).contains(a << 56 >> 56)).isTrue();
    assertThat(sample.known().signExtend(2).contains(a << 48 >> 48)).isTrue();
    assertThat(sample.known().signExtend(4).contains(a << 32 >> 32)).isTrue();
  }

  @Property(tries = 10_000)
  void joinAndWideningAreUpperBounds(
      @ForAll("samples") Sample left, @ForAll("samples") Sample right) {
    Scalar joined = left.known().join(right.known());
    Scalar widened = left.known().widen(right.known());
    assertThat(left.known().isSubsumedBy(joined, new IdentityMatch())).isTrue();
    assertThat(right.known().isSubsumedBy(joined, new IdentityMatch())).isTrue();
    assertThat(widened.contains(left.concrete())).isTrue();
    assertThat(widened.contains(right.concrete())).isTrue();
    assertThat(left.known().isSubsumedBy(Scalar.top(), new IdentityMatch())).isTrue();
  }

  @Property(tries = 10_000)
  void subsumptionKeepsMembers(@ForAll("samples") Sample left, @ForAll("samples") Sample right) {
    if (left.known().isSubsumedBy(right.known(), new IdentityMatch())) {
      assertThat(right.known().contains(left.concrete())).isTrue();
    }
  }

  private static void assertComparison(JumpOp op, Width width, Sample left, Sample right) {
    Comparison comparison = new Comparison(width, op, left.known(), right.known());
    boolean taken = op.test(width, left.concrete(), right.concrete());
    Optional<Boolean> outcome = comparison.outcome();
    assertThat(outcome.orElse(taken)).isEqualTo(taken);
    Comparison.Operands learned = taken ? comparison.ifTaken() : comparison.ifNotTaken();
    assertThat(learned.left().contains(left.concrete())).as("%s", learned.left()).isTrue();
    assertThat(learned.right().contains(right.concrete())).as("%s", learned.right()).isTrue();
    assertThat(learned.left().isSubsumedBy(left.known(), new IdentityMatch())).isTrue();
  }

  @Provide
  Arbitrary<Sample> samples() {
    return Combinators.combine(numbers(), numbers(), numbers(), numbers(), Arbitraries.integers())
        .as(ScalarTest::around);
  }

  private static Arbitrary<Long> numbers() {
    return Arbitraries.oneOf(
        Arbitraries.longs(),
        Arbitraries.longs().between(-300, 300),
        Arbitraries.integers().map(Integer::longValue),
        Arbitraries.integers().map(i -> i & 0xffff_ffffL),
        Arbitraries.of(
            0L,
            -1L,
            1L,
            1L << 31,
            (1L << 31) - 1,
            1L << 32,
            (1L << 32) - 1,
            1L << 63,
            ~(1L << 63)));
  }

  private static Sample around(long a, long unknown, long b, long c, int parts) {
    Tnum bits = (parts & 1) != 0 ? new Tnum(a & ~unknown, unknown) : Tnum.top();
    ScalarRange range = ScalarRange.top(Width.W64);
    if ((parts & 2) != 0) {
      range = range.intersect(ScalarRange.signed(Width.W64, Math.min(a, b), Math.max(a, b)));
    }
    if ((parts & 4) != 0) {
      range =
          range.intersect(
              ScalarRange.unsigned(
                  Width.W64, ScalarRange.minUnsigned(a, c), ScalarRange.maxUnsigned(a, c)));
    }
    ScalarRange lower = ScalarRange.top(Width.W32);
    if ((parts & 8) != 0) {
      lower =
          lower.intersect(
              ScalarRange.signed(
                  Width.W32,
                  Math.min(a << 32 >> 32, b << 32 >> 32),
                  Math.max(a << 32 >> 32, b << 32 >> 32)));
    }
    if ((parts & 16) != 0) {
      long low = a & 0xffff_ffffL;
      long other = c & 0xffff_ffffL;
      lower =
          lower.intersect(
              ScalarRange.unsigned(Width.W32, Math.min(low, other), Math.max(low, other)));
    }
    Scalar known = Scalar.consistent(bits, range, lower).orElseThrow();
    assertThat(known.contains(a)).isTrue();
    return new Sample(a, known);
  }
}
