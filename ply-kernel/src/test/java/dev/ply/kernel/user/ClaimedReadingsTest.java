package dev.ply.kernel.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.ir.TypeName;
import dev.ply.kernel.symbolize.SourceFiles;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.machine.Architecture;
import dev.ply.selector.Glob;
import dev.ply.selector.UserSelector;
import dev.ply.target.SourceLine;
import dev.ply.target.UnreadableTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of files, or looked through, is of the one memory for symbols. */
class ClaimedReadingsTest {
  private static final int FUNCTIONS = 500;

  private final MemoryBudget budget = MemoryBudget.of(64 << 20);
  private final FileMemory memory = new FileMemory(budget);

  @TempDir private Path directory;

  private Path program(int functions) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Path source = directory.resolve("a.c");
    StringBuilder text = new StringBuilder("int main(void) { return 0; }\n");
    IntStream.range(0, functions)
        .forEach(
            i ->
                text.append("short a_function_of_a_program_")
                    .append(i)
                    .append("(void) {\n")
                    .append("  return ")
                    .append(i)
                    .append(";\n}\n"));
    Files.writeString(source, text);
    Path program = directory.resolve("a");
    int status =
        new ProcessBuilder("gcc", "-g", "-O1", "-o", program.toString(), source.toString())
            .inheritIO()
            .start()
            .waitFor();
    assertThat(status).isZero();
    return program;
  }

  private static UserBinaries binaries(FileMemory memory) {
    return new UserBinaries(() -> Architecture.X86_64, OptionalInt.empty(), memory);
  }

  private static UserSelector.Function function(Path program, int number) {
    return new UserSelector.Function(program.toString(), "a_function_of_a_program_" + number);
  }

  @Test
  void typesOfResultsAreClaimed() throws Exception {
    Path program = program(FUNCTIONS);
    UserBinaries binaries = binaries(memory);
    assertThat(binaries.result(function(program, 1))).contains(new TypeName("int16", 0));
    long one = budget.claimed();
    binaries.readResults(
        IntStream.range(0, FUNCTIONS)
            .<UserSelector>mapToObj(number -> function(program, number))
            .toList());
    assertThat(budget.claimed()).isGreaterThan(one + (FUNCTIONS - 1) * 100L);
    memory.dropAll();
    assertThat(budget.claimed()).isZero();
    assertThat(binaries.result(function(program, 2))).contains(new TypeName("int16", 0));
  }

  @Test
  void namesThatAPatternMeansAreClaimedUntilTheyAreSelected() throws Exception {
    Path program = program(FUNCTIONS);
    UserSelector.Pattern all =
        new UserSelector.Functions(program.toString(), new Glob("a_function*"));
    UserBinaries binaries = binaries(memory);
    assertThat(binaries.select(all).functions()).hasSize(FUNCTIONS);
    long image = budget.claimed();
    assertThat(binaries.select(all).functions()).hasSize(FUNCTIONS);
    assertThat(budget.claimed()).isEqualTo(image);
    // A file has half of it: the file's symbols fit, the names besides do not.
    UserBinaries small = binaries(new FileMemory(MemoryBudget.of(4 * image)));
    assertThat(small.locate(function(program, 1))).hasSize(1);
    assertThatThrownBy(() -> small.select(all))
        .isInstanceOf(UnreadableTargetException.class)
        .hasMessageEndingWith("their names take too much memory");
  }

  /** Those used last are kept, and each takes its room. */
  @Test
  void sourceLinesAreClaimed() throws Exception {
    Path program = program(3);
    SourceFiles sources = new SourceFiles(memory);
    SourceFiles.Origin origin =
        new SourceFiles.Origin(FileFacts.of(program), program, program, Path.of("/"));
    UserBinaries binaries = binaries(memory);
    long address = binaries.locate(function(program, 0)).get(0).offset();
    assertThat(sources.line(origin, address)).isPresent();
    long one = budget.claimed();
    for (int i = 1; i < 1024; i++) {
      Optional<SourceLine> unused = sources.line(origin, address + i);
    }
    long most = budget.claimed();
    assertThat(most).isGreaterThanOrEqualTo(one + 1023 * 256);
    for (int i = 1024; i < 1300; i++) {
      Optional<SourceLine> unused = sources.line(origin, address + i);
    }
    assertThat(budget.claimed()).isLessThanOrEqualTo(most);
  }
}
