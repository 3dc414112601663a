package dev.ply.kernel.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-java")
final class MatchingBinariesTest {
  private static final int SELF = Math.toIntExact(ProcessHandle.current().pid());

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void fill() throws IOException {
    for (String name : List.of("app1", "app2", ".app3", "other", "sub/app4")) {
      Path file = directory.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0});
    }
    Files.writeString(directory.resolve("app.sh"), "#!/bin/sh\n");
    Files.createLink(directory.resolve("app5"), directory.resolve("app1"));
    Files.createSymbolicLink(directory.resolve("app6"), directory.resolve("app2"));
    Files.createDirectories(directory.resolve("app7"));
  }

  private List<String> names(String pattern) {
    BinaryFinder finder = new BinaryFinder(List.of(directory));
    return new MatchingBinaries(finder)
        .matching(pattern).names().stream()
            .map(name -> name.replace(directory.toString() + "/", ""))
            .sorted()
            .toList();
  }

  @Test
  void aPatternSelectsElfFilesEachOnce() {
    assertThat(names(directory + "/app*")).containsExactly("app1", "app2");
    assertThat(names(directory + "/*")).containsExactly("app1", "app2", "other");
    assertThat(names(directory + "/.a*")).containsExactly(".app3");
    assertThat(names(directory + "/*/app?")).containsExactly("sub/app4");
    assertThat(names(directory + "/app[2-9]")).containsExactly("app2", "app5");
  }

  @Test
  void aNameSelectsProgramsOfThePath() {
    assertThat(names("oth*")).containsExactly("other");
  }

  @Test
  void aNameSelectsWhatAnyProcessHas() {
    assertThat(names("libjv?.so"))
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .allMatch(name -> name.endsWith("/libjvm.so"));
  }

  @Test
  void objectFilesAndCoreDumpsAreNoPrograms() throws IOException {
    byte[] header = new byte[64];
    System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}, 0, header, 0, 7);
    for (int type = 0; type < 5; type++) {
      header[16] = (byte) type;
      Files.write(directory.resolve("type" + type), header);
    }
    header[5] = 2;
    header[16] = 0;
    header[17] = 1;
    Files.write(directory.resolve("type5"), header);
    assertThat(names(directory + "/type*")).containsExactly("type0", "type2", "type3");
  }

  @Test
  void aFileOfThatVeryNameIsMeant() throws IOException {
    Files.write(directory.resolve("a[1]"), new byte[] {0x7f, 'E', 'L', 'F'});
    assertThat(names(directory + "/a[1]")).containsExactly("a[1]");
  }

  @Test
  void manyFilesOfOthersHideNoneOfRoot() throws IOException {
    assumeTrue(
        Files.getAttribute(directory, "unix:uid").equals(0), "only root has files of others");
    for (int i = 0; i < 4200; i++) {
      Path junk = directory.resolve("a" + i);
      Files.write(junk, new byte[] {0x7f, 'E', 'L', 'F'});
      Files.setAttribute(junk, "unix:uid", 65534);
    }
    BinaryCatalog.Matching found =
        new MatchingBinaries(new BinaryFinder(List.of(directory))).matching(directory + "/*");
    assertThat(found.names()).hasSize(4096).contains(directory + "/other");
    assertThat(found.unsearched()).contains("not looked at: 107 of 4204 files");
  }

  @Test
  void nothingIsAnError() {
    assertThatExceptionOfType(ProbeSiteNotFoundException.class)
        .isThrownBy(() -> names(directory + "/x*"))
        .withMessage("no program or library matches " + directory + "/x*");
    assertThatExceptionOfType(ProbeSiteNotFoundException.class)
        .isThrownBy(() -> names(directory + "/nowhere/*"));
  }

  @Test
  void theSearchOfDirectoriesIsBounded() {
    PathPattern few = new PathPattern(3);
    assertThat(few.paths(directory + "/*", Path.of("/"))).hasSizeLessThanOrEqualTo(3);
    assertThat(few.isExhausted()).isTrue();
  }

  @Test
  void aProcessHasItsProgramAndLibraries() {
    MatchingBinaries own =
        new MatchingBinaries(new BinaryFinder(OptionalInt.of(SELF), MemoryBudget.ofHeap()));
    assertThat(own.matching("*").names()).anyMatch(name -> name.endsWith("/libjvm.so"));
    assertThat(own.matching("libjv*").names())
        .hasSize(1)
        .allMatch(name -> name.endsWith("/libjvm.so"));
    assertThat(
            MatchingBinaries.program(
                new BinaryFinder(OptionalInt.of(SELF), MemoryBudget.ofHeap()), SELF))
        .hasValueSatisfying(name -> assertThat(name).endsWith("/java"));
  }

  @Test
  void whatAnyProcessHasIsFound() {
    assertThat(
            new MatchingBinaries(new BinaryFinder(OptionalInt.empty(), MemoryBudget.ofHeap()))
                .matching("*")
                .names())
        .anyMatch(name -> name.endsWith("/libjvm.so"));
  }
}
