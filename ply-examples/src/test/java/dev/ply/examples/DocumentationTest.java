package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
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

/**
 * The comments of the API and of what tests of bytecode use are complete: each public type, method,
 * parameter, component and result has its sentence, as {@code javac -Xdoclint} sees it. Parameters
 * of compact constructors are the components, and those of visitors' methods the nodes: these are
 * not described again.
 */
@Tag("any-java")
class DocumentationTest {
  /** A compact constructor, or a method of a visitor. */
  private static final Pattern DESCRIBED_ELSEWHERE =
      Pattern.compile("^ +(public )?[A-Z]\\w* \\{$|\\bvisit\\(");

  @TempDir private Path classes;

  @ParameterizedTest
  @CsvSource({
    "ply-core, dev.ply",
    "ply-core, dev.ply.diagnostic",
    "ply-core, dev.ply.ir",
    "ply-core, dev.ply.layout",
    "ply-core, dev.ply.listing",
    "ply-core, dev.ply.machine",
    "ply-core, dev.ply.name",
    "ply-core, dev.ply.probe",
    "ply-core, dev.ply.result",
    "ply-core, dev.ply.table",
    "ply-core, dev.ply.target",
    "ply-core, dev.ply.type",
    "ply-core, dev.ply.value",
    "ply-lang, dev.ply.lang",
    "ply-bpf, dev.ply.bpf.asm",
    "ply-bpf, dev.ply.bpf.codegen",
    "ply-bpf, dev.ply.bpf.encoding",
    "ply-bpf, dev.ply.bpf.isa",
    "ply-bpf, dev.ply.bpf.object",
    "ply-bpf, dev.ply.bpf.optimize",
    "ply-bpf, dev.ply.bpf.simulate",
    "ply-bpf, dev.ply.bpf.verifier",
    "ply-bpf, dev.ply.bpf.vm",
    "ply-kernel, dev.ply.kernel",
    "ply-kernel, dev.ply.kernel.error",
  })
  void commentsAreComplete(String module, String documented) throws IOException {
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
    assertThat(
            found.getDiagnostics().stream()
                .filter(DocumentationTest::isOfComment)
                .filter(diagnostic -> !isDescribedElsewhere(diagnostic)))
        .extracting(DocumentationTest::line)
        .isEmpty();
  }

  private static boolean isOfComment(Diagnostic<? extends JavaFileObject> diagnostic) {
    return diagnostic.getSource() != null && diagnostic.getKind() != Diagnostic.Kind.NOTE;
  }

  private static boolean isDescribedElsewhere(Diagnostic<? extends JavaFileObject> diagnostic) {
    String message = diagnostic.getMessage(Locale.ROOT);
    return (message.startsWith("no @param") || message.startsWith("no @return"))
        && DESCRIBED_ELSEWHERE.matcher(sourceLine(diagnostic)).find();
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
