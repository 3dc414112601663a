package dev.ply.kernel.unwind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.unwind.UserRegisters;
import dev.ply.machine.Architecture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reader of unwind tables is woken when a process is wanted that was not. */
@Tag("any-java")
class MissingTablesTest {
  private static final RecordedStack STACK =
      new RecordedStack(
          new UserRegisters(0x400000, 0x7fff0000, 0x7fff0000, 0), List.of(), List.of(), Map.of());

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void theFirstHitOfAProcessWithoutTablesSaysSo(Architecture architecture) {
    assertThat(UnwindProgram.eventsWithoutTables(STACK, architecture, 3))
        .filteredOn(EventSite.MissingTables.class::isInstance)
        .hasSize(1);
  }
}
