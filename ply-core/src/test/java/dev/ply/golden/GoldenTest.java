package dev.ply.golden;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicNode;
import org.opentest4j.AssertionFailedError;

/**
 * Makes tests of the golden files in {@code src/test/resources/golden/<folder>}: one for every
 * section that the files have and the test computes.
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicNode> golden() {
 *   return GoldenTest.in("lang")
 *       .section("ir", file -> IrPrinter.print(parse(file.text("source"))))
 *       .tests();
 * }
 * }</pre>
 *
 * <p>Run with {@code -Dgolden.update=true}, the tests write what they compute in place of what the
 * files expect. Immutable.
 */
public final class GoldenTest {
  /** Computes the text of a section from the other sections of its file. */
  @FunctionalInterface
  public interface Computation {
    /** Returns what the section should say. */
    String apply(GoldenFile file) throws Exception;
  }

  private final Path folder;
  private final Map<String, Computation> sections;

  private GoldenTest(Path folder, Map<String, Computation> sections) {
    this.folder = folder;
    this.sections = sections;
  }

  /** Returns tests, none yet, of the files in {@code src/test/resources/golden/<folder>}. */
  public static GoldenTest in(String folder) {
    // Surefire sets basedir to the module; an IDE starts there.
    Path base = Path.of(System.getProperty("basedir", ""));
    return new GoldenTest(base.resolve("src/test/resources/golden").resolve(folder), Map.of());
  }

  /** Returns these tests and one more for each file with a section of that name. */
  public GoldenTest section(String name, Computation computation) {
    Map<String, Computation> more = new LinkedHashMap<>(sections);
    more.put(name, computation);
    return new GoldenTest(folder, more);
  }

  /**
   * Returns the tests, grouped and named by file.
   *
   * @throws IllegalStateException if no file has a section to test
   */
  public Stream<DynamicNode> tests() {
    List<Path> files = files();
    List<DynamicNode> nodes =
        files.stream()
            .filter(file -> read(file).sections().keySet().stream().anyMatch(sections::containsKey))
            .map(this::container)
            .toList();
    if (nodes.isEmpty()) {
      throw new IllegalStateException(
          "no file in " + folder.toAbsolutePath() + " has a section of " + sections.keySet());
    }
    return nodes.stream();
  }

  private DynamicNode container(Path path) {
    return dynamicContainer(
        String.valueOf(path.getFileName()),
        path.toUri(),
        sections.entrySet().stream()
            .filter(entry -> read(path).section(entry.getKey()).isPresent())
            .map(
                entry ->
                    dynamicTest(
                        entry.getKey(), () -> check(path, entry.getKey(), entry.getValue()))));
  }

  private static void check(Path path, String section, Computation computation) throws Exception {
    GoldenFile file = read(path);
    String expected = file.text(section);
    String computed = computation.apply(file);
    if (computed.equals(expected)) {
      return;
    }
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(path, file.with(section, computed).toString());
      return;
    }
    throw new AssertionFailedError(
        path + ", section " + section + ":\n" + UnifiedDiff.of(expected, computed),
        expected,
        computed);
  }

  private List<Path> files() {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(path -> path.toString().endsWith(".golden")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GoldenFile read(Path path) {
    try {
      return GoldenFile.parse(Files.readString(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException e) {
      return Assertions.fail(path + ": " + e.getMessage(), e);
    }
  }
}
