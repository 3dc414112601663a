package dev.ply.kernel.unwind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.bpf.unwind.UnwindEnd;
import dev.ply.bpf.unwind.Unwinder;
import dev.ply.bpf.unwind.UnwoundStack;
import dev.ply.machine.Architecture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Walks over the stacks of real programs find the frames that these know of themselves. */
@Tag("any-java")
class RecordedStackTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "gcc, -O2 -fomit-frame-pointer, COMPLETE",
    "gcc, -O3 -fomit-frame-pointer -mavx2, COMPLETE",
    "gcc, -O3 -fomit-frame-pointer -no-pie -fno-pie, COMPLETE",
    "gcc, -O2 -fomit-frame-pointer -static, COMPLETE",
    "gcc, -O2 -fomit-frame-pointer -static-pie, COMPLETE",
    "gcc, -O2 -fomit-frame-pointer -s, COMPLETE",
    "gcc, -O0 -fno-omit-frame-pointer, COMPLETE",
    "gcc, -O2 -fcf-protection=full -fstack-protector-all -fstack-clash-protection, COMPLETE",
    "clang, -O2 -fomit-frame-pointer, COMPLETE",
    "musl-gcc, -O2 -fomit-frame-pointer -fasynchronous-unwind-tables, NO_TABLE",
    "musl-gcc, -O2 -fomit-frame-pointer -fasynchronous-unwind-tables -static, NO_TABLE",
  })
  void framesAreThoseThatTheProgramKnows(String compiler, String options, UnwindEnd end)
      throws IOException, InterruptedException {
    Optional<Path> program =
        RecordedStack.compile(directory, compiler, List.of(options.split(" ")));
    assumeThat(program).as(compiler).isPresent();
    Architecture architecture = Architecture.named(System.getProperty("os.arch")).orElseThrow();
    for (String how : List.of("plain", "signal")) {
      RecordedStack recorded = RecordedStack.of(program.orElseThrow(), how);
      UnwoundStack stack =
          Unwinder.unwind(
              architecture,
              recorded.registers(),
              recorded.mappings(),
              recorded,
              Unwinder.MOST_FRAMES);
      assertThat(stack.addresses().subList(1, stack.addresses().size()))
          .as(how)
          .startsWith(recorded.frames().toArray(Long[]::new));
      assertThat(stack.end()).as(how).isEqualTo(end);
      assertThat(UnwindProgram.run(recorded, architecture)).as(how).isEqualTo(stack.recorded());
    }
  }
}
