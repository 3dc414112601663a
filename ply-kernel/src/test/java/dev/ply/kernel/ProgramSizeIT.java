package dev.ply.kernel;

import static dev.ply.kernel.Live.exit;
import static dev.ply.kernel.Live.move;
import static dev.ply.kernel.Live.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.name.Errno;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("live")
@Tag("oldest")
final class ProgramSizeIT {
  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void aProgramIsAsLongAsItsInstructions() throws Exception {
    byte[] code = program(move(0, 42), exit());
    try (LoadedProgram loaded = LoadedProgram.load("answer", ProgramType.RAW_TRACEPOINT, code)) {
      String number =
          Files.readAllLines(Path.of("/proc/self/fdinfo/" + loaded.descriptor())).stream()
              .filter(line -> line.startsWith("prog_id:"))
              .findFirst()
              .orElseThrow();
      ProgramSize size = ProgramSize.of(Integer.parseInt(number.substring(8).strip()));
      assertThat(size.bytecode()).isEqualTo(code.length);
      assertThat(size.machineCode()).isNotNegative();
    }
  }

  @Test
  void aProgramThatIsNotThereHasNone() {
    assertThatThrownBy(() -> ProgramSize.of(Integer.MAX_VALUE))
        .isInstanceOfSatisfying(
            KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
  }
}
