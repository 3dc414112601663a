package dev.ply.kernel.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.machine.Architecture;
import dev.ply.selector.UserSelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Binaries that are rebuilt while a tracer is running. */
class ReplacedBinaryTest {
  @TempDir private Path directory;

  private Path built(String name, String before) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Path source = directory.resolve(name + ".c");
    Files.writeString(
        source, before + "int wanted(int n) { return n + 1; } int main() { return wanted(0); }");
    Path program = directory.resolve(name);
    Process gcc =
        new ProcessBuilder("gcc", "-O0", "-o", program.toString(), source.toString())
            .inheritIO()
            .start();
    assumeTrue(gcc.waitFor() == 0, "gcc cannot compile a program here");
    return program;
  }

  @Test
  void functionsOfAReplacedFileAreWhereTheNewOneHasThem() throws Exception {
    Path program = built("program", "");
    Path other = built("other", "int first(int n) { return n * 7 + n / 3 + n % 5; }");
    UserSelector.Function wanted = new UserSelector.Function(program.toString(), "wanted");
    UserBinaries binaries =
        new UserBinaries(
            () -> Architecture.X86_64, OptionalInt.empty(), new FileMemory(MemoryBudget.ofHeap()));
    long before = binaries.locate(wanted).get(0).offset();
    assertThat(binaries.address(program.toString(), before)).isPresent();

    Files.move(other, program, StandardCopyOption.REPLACE_EXISTING);
    long after = binaries.locate(wanted).get(0).offset();
    assertThat(after).isNotEqualTo(before);
    assertThat(binaries.locate(wanted)).isEqualTo(fresh().locate(wanted));
    assertThat(binaries.symbol(program.toString(), "wanted"))
        .isEqualTo(fresh().symbol(program.toString(), "wanted"));
  }

  @Test
  void aFileThatIsWrittenToIsReadAgain() throws Exception {
    Path program = built("program", "");
    Path other = built("other", "int first(int n) { return n * 7 + n / 3 + n % 5; }");
    UserSelector.Function wanted = new UserSelector.Function(program.toString(), "wanted");
    UserBinaries binaries = fresh();
    long before = binaries.locate(wanted).get(0).offset();

    Files.write(program, Files.readAllBytes(other));
    assertThat(binaries.locate(wanted).get(0).offset()).isNotEqualTo(before);
    assertThat(binaries.locate(wanted)).isEqualTo(fresh().locate(wanted));
  }

  private static UserBinaries fresh() {
    return new UserBinaries(
        () -> Architecture.X86_64, OptionalInt.empty(), new FileMemory(MemoryBudget.ofHeap()));
  }
}
