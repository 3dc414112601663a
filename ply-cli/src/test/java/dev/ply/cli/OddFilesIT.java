package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import dev.ply.kernel.elf.TestElf;
import dev.ply.kernel.elf.TestElf.Function;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patterns among whose files and symbols are some that cannot be probed. */
@Tag("live")
@Tag("any-kernel")
class OddFilesIT {
  private static final int ORDINARY = 2;
  private static final int INDIRECT = 10;

  @TempDir private Path directory;

  @BeforeEach
  void fill() throws IOException {
    Live.assumeTracing();
    write("good", function("hello", 0, ORDINARY), function("help", 64, ORDINARY));
  }

  private static Function function(String name, long offset, int type) {
    return new Function(name, TestElf.CODE_ADDRESS + offset, 16, type, 1);
  }

  private Path write(String name, Function... functions) throws IOException {
    return new TestElf(ByteOrder.LITTLE_ENDIAN)
        .symbols(2, functions)
        .write(directory.resolve(name));
  }

  /** Checks the probe and returns what is said of it. */
  private String checked(String probe) {
    Call call = Call.ply("-e", "uprobe:" + directory + "/" + probe + " { @ = count(); }");
    assertThat(call.status()).as(call.errors()).isZero();
    return call.errors();
  }

  @Test
  void filesThatAreAllRightAreNotSpokenOf() throws IOException {
    write("other", function("other", 0, ORDINARY));
    assertThat(checked("*:hel*")).doesNotContain(" skips ");
    assertThat(checked("*:hello")).doesNotContain(" skips ");
  }

  @Test
  void functionsOfOneNameAreAllProbed() throws IOException {
    write("twins", function("hello", 0, ORDINARY), function("hello", 128, ORDINARY));
    assertThat(checked("*:hello")).doesNotContain(" skips ");
    assertThat(checked("twins:hel*")).doesNotContain(" skips ");
  }

  @Test
  void symbolsThatCannotBeProbedAreCounted() throws IOException {
    write(
        "odd",
        function("hello", 0, ORDINARY),
        function("hellOut", 0x100000, ORDINARY),
        function("hellIndirect", 32, INDIRECT));
    String odd =
        "1 indirect (IFUNC): run once, to choose a function for this CPU; "
            + "1 outside code, or with names that are not UTF-8";
    assertThat(checked("odd:hel*"))
        .contains("uprobe:" + directory + "/odd:hel* skips 2 symbols")
        .contains(odd.split("; ", 2));
    assertThat(checked("*:hel*"))
        .contains("uprobe:" + directory + "/*:hel* skips 2 symbols")
        .contains(odd.split("; ", 2));
  }

  @Test
  void namesThatAreNotUtf8AreCounted() throws IOException {
    byte[] names = "\0hell\u00e9\0hello\0".getBytes(StandardCharsets.ISO_8859_1);
    new TestElf(ByteOrder.LITTLE_ENDIAN)
        .symbols(
            new long[] {TestElf.CODE_ADDRESS, TestElf.CODE_ADDRESS + 16},
            16,
            new int[] {1, 7},
            names)
        .write(directory.resolve("latin"));
    assertThat(checked("latin:hel*"))
        .contains("uprobe:" + directory + "/latin:hel* skips 1 symbol");
  }

  @Test
  void anIndirectFunctionIsCountedWithItsFile() throws IOException {
    write("chosen", function("hello", 32, INDIRECT));
    assertThat(checked("*:hello"))
        .contains("uprobe:" + directory + "/*:hello skips 1 file")
        .contains("chosen is an indirect function");
  }

  @Test
  void damagedFilesAreCounted() throws IOException {
    byte[] whole = Files.readAllBytes(directory.resolve("good"));
    Files.write(directory.resolve("cut"), Arrays.copyOf(whole, 40));
    byte[] endless = whole.clone();
    // The number of sections, and where their headers are.
    endless[60] = (byte) 0xff;
    endless[61] = (byte) 0xfe;
    Files.write(directory.resolve("endless"), endless);
    byte[] object = whole.clone();
    object[16] = 1;
    Files.write(directory.resolve("object.o"), object);
    for (String function : new String[] {"hello", "hel*"}) {
      assertThat(checked("*:" + function))
          .contains("uprobe:" + directory + "/*:" + function + " skips 2 files")
          .contains(directory + "/cut")
          .contains("; and 1 more");
    }
    Call none = Call.ply("-e", "uprobe:" + directory + "/*:none { @ = count(); }");
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.errors())
        .contains("no program or library that matches " + directory + "/* has a function")
        .contains(directory + "/cut");
  }

  @Test
  void whatAProcessHasMappedIsFoundByItsName() throws IOException {
    Path library = Files.copy(mathematics(), directory.resolve("oddly-named.so"));
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "echo begun; read end");
    builder.environment().put("LD_PRELOAD", library.toString());
    Process process = builder.start();
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("begun");
      assertThat(Call.ply("-l", "uprobe:*oddly-n*:cbr[t]").output())
          .isEqualTo("uprobe:" + library + ":cbrt\n");
    } finally {
      process.destroyForcibly();
    }
  }

  private static final String MAPPING =
      """
      #include <fcntl.h>
      #include <stdio.h>
      #include <sys/mman.h>
      int main(int count, char **files) {
        for (int i = 1; i < count; i++)
          if (mmap(0, 32, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(files[i], O_RDONLY), 0)
              == MAP_FAILED)
            return 1;
        puts("begun");
        fflush(stdout);
        return getchar();
      }
      """;

  private Path mapping() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Path source = Files.writeString(directory.resolve("mapping.c"), MAPPING);
    Path program = directory.resolve("mapping");
    Process gcc =
        new ProcessBuilder("gcc", "-o", program.toString(), source.toString()).inheritIO().start();
    assumeTrue(gcc.waitFor() == 0, "gcc cannot compile a program here");
    return program;
  }

  @Test
  void whatAProcessMapsRefusesNoFunctionOfItsOtherFiles() throws Exception {
    Path twins = write("twins", function("puts", 0, ORDINARY), function("puts", 128, ORDINARY));
    Path chosen = write("chosen", function("puts", 32, INDIRECT), function("own", 32, INDIRECT));
    Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(Files.readAllBytes(twins), 40));
    Process process =
        new ProcessBuilder(
                mapping().toString(), twins.toString(), chosen.toString(), cut.toString())
            .start();
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("begun");
      for (String function : new String[] {"puts", "put[s]"}) {
        String probe = "uprobe:" + process.pid() + ":" + function;
        Call call = Call.ply("-e", probe + " { @ = count(); }");
        assertThat(call.status()).as(call.errors()).isZero();
        assertThat(call.errors()).contains(probe + " skips 1 file").contains("cut");
      }
      assertThat(Call.ply("-e", "uprobe:" + process.pid() + ":own { @ = count(); }").errors())
          .contains("is an indirect function");
      assertThat(Call.ply("-e", "uprobe:" + process.pid() + ":none { @ = count(); }").errors())
          .contains("has no function \"none\"");
    } finally {
      process.destroyForcibly();
    }
  }

  /** The Java runtime has it. */
  private static Path mathematics() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .filter(path -> path.matches(".*/libm[.-].*"))
        .map(Path::of)
        .findFirst()
        .orElseThrow();
  }
}
