package dev.ply.name;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.machine.Architecture;
import dev.ply.target.HeaderConstants;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The numbers of errors, signals and system calls. */
final class ErrnoTest {
  private static final int FIRST_INSIDE_THE_KERNEL = 512;

  @ParameterizedTest
  @EnumSource(Errno.class)
  void everyNumberFindsItsError(Errno errno) {
    assertThat(Errno.of((int) errno.number())).isEqualTo(errno);
  }

  static Stream<Errno> ofHeaders() {
    return Stream.of(Errno.values())
        .filter(errno -> errno.number() > 0 && errno.number() < FIRST_INSIDE_THE_KERNEL);
  }

  @ParameterizedTest
  @MethodSource("ofHeaders")
  void numbersAreThoseOfTheHeaders(Errno errno) {
    assertThat(HeaderConstants.value(errno.name())).hasValue(errno.number());
  }

  @ParameterizedTest
  @EnumSource(Signal.class)
  void everyNumberFindsItsSignal(Signal signal) {
    assertThat(Signal.of((int) signal.number())).isEqualTo(signal);
  }

  static Stream<Signal> numbered() {
    return Stream.of(Signal.values())
        .filter(signal -> signal.number() > 0 && !signal.name().contains("_"));
  }

  @ParameterizedTest
  @MethodSource("numbered")
  void aNumberHasTheNameOfItsSignal(Signal signal) {
    assertThat(Signal.nameOf(signal.number())).isEqualTo(signal.name());
  }

  @Test
  void anUnlistedNumberIsUnknown() {
    assertThat(Errno.of(4095)).isEqualTo(Errno.UNKNOWN);
    assertThat(Errno.ofResult(-4095)).isEqualTo(Errno.UNKNOWN);
    assertThat(Signal.of(33)).isEqualTo(Signal.UNKNOWN);
    assertThat(Signal.of(65)).isEqualTo(Signal.UNKNOWN);
  }

  @Property
  void aResultIsAnErrorFromMinus4095To1(@ForAll long result) {
    assertThat(Errno.ofResult(result).isSuccess()).isEqualTo(result < -4095 || result >= 0);
  }

  @Property
  void aReturnedErrorIsTheNegatedNumber(@ForAll @LongRange(min = 1, max = 4095) long number) {
    assertThat(Errno.ofResult(-number)).isEqualTo(Errno.of((int) number));
  }

  @Test
  void messagesAreThoseOfTheCLibrary() {
    assertThat(Errno.strerror(0)).isEqualTo("Success");
    assertThat(Errno.strerror(2)).isEqualTo("No such file or directory");
    assertThat(Errno.strerror(41)).isEqualTo("Unknown error 41");
    assertThat(Errno.strerror(512)).isEqualTo("Unknown error 512");
    assertThat(Errno.strerror(-2)).isEqualTo("Unknown error -2");
    assertThat(Errno.strerror(Long.MAX_VALUE)).isEqualTo("Unknown error 9223372036854775807");
    assertThat(Errno.EPERM.clause()).isEqualTo("operation not permitted");
  }

  @Test
  void realTimeSignalsCountFromTheFirst() {
    assertThat(Signal.nameOf(34)).isEqualTo("SIGRTMIN");
    assertThat(Signal.nameOf(64)).isEqualTo("SIGRTMIN+30");
    assertThat(Signal.nameOf(0)).isEqualTo("0");
    assertThat(Signal.nameOf(32)).isEqualTo("32");
    assertThat(Signal.nameOf(-1)).isEqualTo("-1");
    assertThat(Signal.nameOf((1L << 32) + 9)).isEqualTo("4294967305");
  }

  @Test
  void systemCallsAreThoseOfTheirArchitecture() {
    assertThat(SystemCall.of(Architecture.X86_64, 257)).isEqualTo(new SystemCall(257, "openat"));
    assertThat(SystemCall.of(Architecture.AARCH64, 56)).hasToString("openat");
    assertThat(SystemCall.of(Architecture.X86_64, -1)).hasToString("-1");
  }
}
