package dev.ply.kernel.load;

import static dev.ply.kernel.Live.exit;
import static dev.ply.kernel.Live.insn;
import static dev.ply.kernel.Live.move;
import static dev.ply.kernel.Live.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.Live;
import dev.ply.kernel.error.VerifierRejection;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("live")
@Tag("oldest")
final class LoadedProgramIT {
  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @EnumSource(
      value = ProgramType.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"FENTRY", "FEXIT", "TYPED_TRACEPOINT", "ITERATOR"})
  void anEmptyProgramLoadsUnderAnyType(ProgramType type) {
    try (LoadedProgram loaded =
        LoadedProgram.load("tracepoint:a/b", type, program(move(0, 0), exit()))) {
      assertThat(loaded.descriptor()).isPositive();
      assertThat(loaded.type()).isEqualTo(type);
    }
  }

  @Test
  void aTestRunReturnsWhatTheProgramReturns() {
    byte[] code = program(move(0, 42), exit());
    try (LoadedProgram loaded = LoadedProgram.load("answer", ProgramType.RAW_TRACEPOINT, code)) {
      assertThat(loaded.testRun()).isEqualTo(42);
    }
  }

  @Test
  void aTestRunHandsArgumentsToTheProgram() {
    byte[] code = program(insn(0x79, 0, 1, 8, 0), exit());
    try (LoadedProgram loaded = LoadedProgram.load("second", ProgramType.RAW_TRACEPOINT, code)) {
      assertThat(loaded.testRun(7, 9)).isEqualTo(9);
    }
  }

  @Test
  void aRefusalTellsTheVerifiersReason() {
    VerifierRejection rejection =
        catchThrowableOfType(
            VerifierRejection.class,
            () -> LoadedProgram.load("unset", ProgramType.RAW_TRACEPOINT, program(exit())));
    assertThat(rejection.log()).contains("R0 !read_ok").contains("processed");
    assertThat(rejection)
        .hasMessageContaining("\"unset\" (permission denied)")
        .hasMessageContaining("R0 !read_ok")
        .message()
        .doesNotContain("processed");
  }

  @Test
  void aLongLogIsReadToItsEnd() {
    // Each round prints its state on the way to the error after it.
    byte[] lines =
        program(Collections.nCopies(4000, insn(0x07, 2, 0, 0, 1)).toArray(byte[][]::new));
    byte[] code = program(move(2, 0), lines, exit());
    VerifierRejection rejection =
        catchThrowableOfType(
            VerifierRejection.class,
            () -> LoadedProgram.load("long", ProgramType.RAW_TRACEPOINT, code));
    assertThat(rejection.log()).hasSizeGreaterThan(64 * 1024).contains("R0 !read_ok");
  }

  @Test
  void aTimerThatInterruptsTheVerifierDoesNotStopTheLoad() {
    // So many rounds that the verifier needs longer than the time between two signals.
    int rounds = 200_000;
    byte[] code =
        program(
            move(1, 0), insn(0x07, 1, 0, 0, 1), insn(0xa5, 1, 0, -2, rounds), move(0, 0), exit());
    try (SignalStorm storm = SignalStorm.onThisThread();
        LoadedProgram loaded = LoadedProgram.load("long", ProgramType.RAW_TRACEPOINT, code)) {
      assertThat(storm.signals()).isPositive();
      assertThat(loaded.descriptor()).isPositive();
    }
  }

  @Test
  void halfAnInstructionIsMisuse() {
    assertThatThrownBy(() -> LoadedProgram.load("half", ProgramType.KPROBE, new byte[12]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("12 bytes");
  }

  @Test
  void closingTwiceIsClosingOnce() {
    LoadedProgram loaded =
        LoadedProgram.load("twice", ProgramType.KPROBE, program(move(0, 0), exit()));
    loaded.close();
    loaded.close();
    assertThatThrownBy(loaded::descriptor).isInstanceOf(IllegalStateException.class);
  }
}
