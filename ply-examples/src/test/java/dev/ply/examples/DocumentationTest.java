package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each public type and method of these packages has its sentence, as {@code javac -Xdoclint} sees
 * it. In the API, so has each parameter, component and result; elsewhere, those whose name does not
 * say enough. Parameters of compact constructors are the components, and those of visitors' methods
 * the nodes: these are not described again. No tag only repeats the name that it describes.
 */
@Tag("any-java")
class DocumentationTest {
  /** A compact constructor, or a method of a visitor. */
  private static final Pattern DESCRIBED_ELSEWHERE =
      Pattern.compile("^ +(public )?[A-Z]\\w* \\{$|\\bvisit\\(");

  private static final Set<String> API =
      Set.of(
          "dev.ply",
          "dev.ply.diagnostic",
          "dev.ply.layout",
          "dev.ply.name",
          "dev.ply.result",
          "dev.ply.table",
          "dev.ply.value",
          "dev.ply.lang",
          "dev.ply.bpf.simulate",
          "dev.ply.kernel",
          "dev.ply.kernel.error");

  private static final Pattern PARAMETER = Pattern.compile(" *\\* @param (\\w+) (.*)");
  private static final Set<String> ARTICLES = Set.of("the", "a", "an", "its", "of");

  @TempDir private Path classes;

  @ParameterizedTest
  @CsvSource({
    "ply-core, dev.ply",
    "ply-core, dev.ply.diagnostic",
    "ply-core, dev.ply.layout",
    "ply-core, dev.ply.name",
    "ply-core, dev.ply.result",
    "ply-core, dev.ply.table",
    "ply-core, dev.ply.value",
    "ply-lang, dev.ply.lang",
    "ply-bpf, dev.ply.bpf.simulate",
    "ply-kernel, dev.ply.kernel",
    "ply-kernel, dev.ply.kernel.error",
  })
  void commentsAreComplete(String module, String documented) throws IOException {
    assertThat(missing(module, documented)).extracting(DocumentationTest::line).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "ply-core, dev.ply.ir",
    "ply-core, dev.ply.listing",
    "ply-core, dev.ply.machine",
    "ply-core, dev.ply.probe",
    "ply-core, dev.ply.target",
    "ply-core, dev.ply.type",
    "ply-bpf, dev.ply.bpf.asm",
    "ply-bpf, dev.ply.bpf.codegen",
    "ply-bpf, dev.ply.bpf.encoding",
    "ply-bpf, dev.ply.bpf.isa",
    "ply-bpf, dev.ply.bpf.object",
    "ply-bpf, dev.ply.bpf.optimize",
    "ply-bpf, dev.ply.bpf.verifier",
    "ply-bpf, dev.ply.bpf.vm",
  })
  void eachTypeAndMethodHasASentence(String module, String documented) throws IOException {
    assertThat(missing(module, documented).stream().filter(found -> !isOfTag(found)))
        .extracting(DocumentationTest::line)
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ply-core", "ply-lang", "ply-bpf", "ply-kernel", "ply-cli"})
  void noTagRepeatsItsName(String module) throws IOException {
    Path sources = Path.of("..", module, "src", "main", "java");
    try (Stream<Path> files = Files.walk(sources)) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".java"))
                  .filter(file -> !isOfApi(sources.relativize(file)))
                  .flatMap(DocumentationTest::lines))
          .filteredOn(DocumentationTest::repeatsItsName)
          .isEmpty();
    }
  }

  private static boolean isOfApi(Path file) {
    String name = file.toString();
    return name.indexOf(File.separatorChar) > 0
        && API.contains(
            name.substring(0, name.lastIndexOf(File.separatorChar))
                .replace(File.separatorChar, '.'));
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether the words of a tag are only those of its name. */
  private static boolean repeatsItsName(String line) {
    Matcher tag = PARAMETER.matcher(line);
    if (!tag.matches()) {
      return false;
    }
    Set<String> name = words(tag.group(1));
    return name.containsAll(words(tag.group(2)));
  }

  private static Set<String> words(String text) {
    return Arrays.stream(text.split("(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", -1))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .filter(word -> !word.isEmpty() && !ARTICLES.contains(word))
        .collect(Collectors.toSet());
  }

  /** Returns what a package's comments lack. */
  private List<Diagnostic<? extends JavaFileObject>> missing(String module, String documented)
      throws IOException {
    Path directory =
        Path.of("..", module, "src", "main", "java").resolve(documented.replace('.', '/'));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assumeTrue(compiler != null, "this Java runtime has no compiler");
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null);
        Stream<Path> sources = Files.list(directory)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-Xdoclint:all/public",
              "-Xdoclint/package:" + documented,
              "-Xmaxwarns",
              "1000",
              "--release",
              "17",
              "-classpath",
              System.getProperty("java.class.path"),
              "-d",
              classes.toString());
      List<Path> units = sources.filter(path -> path.toString().endsWith(".java")).toList();
      assertThat(
              compiler
                  .getTask(
                      null, files, found, options, null, files.getJavaFileObjectsFromPaths(units))
                  .call())
          .isTrue();
    }
    return found.getDiagnostics().stream()
        .<Diagnostic<? extends JavaFileObject>>map(diagnostic -> diagnostic)
        .filter(DocumentationTest::isOfComment)
        .filter(diagnostic -> !isDescribedElsewhere(diagnostic))
        .toList();
  }

  private static boolean isOfComment(Diagnostic<? extends JavaFileObject> diagnostic) {
    return diagnostic.getSource() != null && diagnostic.getKind() != Diagnostic.Kind.NOTE;
  }

  private static boolean isDescribedElsewhere(Diagnostic<? extends JavaFileObject> diagnostic) {
    return isOfTag(diagnostic) && DESCRIBED_ELSEWHERE.matcher(sourceLine(diagnostic)).find();
  }

  private static boolean isOfTag(Diagnostic<? extends JavaFileObject> diagnostic) {
    String message = diagnostic.getMessage(Locale.ROOT);
    return message.startsWith("no @param") || message.startsWith("no @return");
  }

  private static String sourceLine(Diagnostic<? extends JavaFileObject> diagnostic) {
    try (Stream<String> lines = Files.lines(Path.of(diagnostic.getSource().toUri()))) {
      return lines.skip(diagnostic.getLineNumber() - 1).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String line(Diagnostic<? extends JavaFileObject> diagnostic) {
    Path file = Path.of(diagnostic.getSource().toUri()).getFileName();
    return file + ":" + diagnostic.getLineNumber() + ": " + diagnostic.getMessage(Locale.ROOT);
  }
}
