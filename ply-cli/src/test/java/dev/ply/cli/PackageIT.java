package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tarball, where a build with the profile dist has made it: unpacked anywhere, it runs. */
@Timeout(300)
@Tag("runtime")
class PackageIT {
  @TempDir static Path directory = Path.of("");

  @BeforeAll
  static void unpack() throws Exception {
    Optional<Path> tarball = tarball();
    assumeTrue(tarball.isPresent(), "no packages were built: mvn -Pdist package");
    String file = tarball.orElseThrow().toString();
    assertThat(run("tar", "-C", directory.toString(), "-xzf", file)).isEqualTo("0: ");
  }

  private static Optional<Path> tarball() throws IOException {
    Path dist = Path.of("target/dist");
    if (!Files.isDirectory(dist)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(dist)) {
      return files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst();
    }
  }

  private static Path home() throws IOException {
    Path tarball = tarball().orElseThrow();
    return directory.resolve(tarball.getFileName().toString().replace(".tar.gz", ""));
  }

  /** Without Java on the path. */
  private static String run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("JAVA_HOME", "PLY_HEAP"));
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Dnot=for.ply");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + ": " + output;
  }

  private static String ply() throws IOException {
    return home().resolve("bin/ply").toString();
  }

  @Test
  void itHasAVersion() throws Exception {
    assertThat(run(ply(), "-v")).matches("0: ply \\S+ \\(Linux \\S+, Java \\S+\\)\n");
  }

  @Test
  void itChecksAScript() throws Exception {
    assertThat(run(ply(), "-e", "BEGIN { exit(0); }")).startsWith("0: ");
    assertThat(run(ply(), "-e", "BEGIN { nothing; }")).startsWith("1: error");
  }

  /** Without a message, and with exit alone, which is a failure after no shutdown. */
  @Test
  void itServesEditors() throws Exception {
    String exit = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
    String message = "Content-Length: " + exit.length() + "\\r\\n\\r\\n" + exit;
    assertThat(run("/bin/sh", "-c", "'" + ply() + "' lsp </dev/null")).isEqualTo("0: ");
    assertThat(run("/bin/sh", "-c", "printf '" + message + "' | '" + ply() + "' lsp"))
        .isEqualTo("1: ");
  }

  @Test
  void itHasTheManualAndTheColoursOfEditors() throws Exception {
    Path share = home().resolve("share");
    assertThat(share.resolve("doc/ply-java/html/index.html")).exists();
    assertThat(share.resolve("doc/ply-java/html/man/ply-lsp.1.html")).exists();
    assertThat(share.resolve("man/man1/ply-lsp.1.gz")).exists();
    assertThat(share.resolve("vscode/ply/syntaxes/ply.tmLanguage.json")).exists();
  }

  @Test
  void itTraces() throws Exception {
    Live.assumeTracing();
    String program =
        "tracepoint:raw_syscalls:sys_enter / pid == $target / { @[comm] = count(); }"
            + " BEGIN { printf(\"%s\\n\", $JAVA_TOOL_OPTIONS); }";
    assertThat(run(ply(), "-c", "/bin/true", program)).contains("-Dnot=for.ply\n", "{ true }: ");
  }

  @Test
  void aLinkCalledBpftraceHasItsOptions() throws Exception {
    Path link = directory.resolve("bpftrace");
    Files.createSymbolicLink(link, home().resolve("bin/ply"));
    assertThat(run(link.toString(), "--help")).startsWith("0: USAGE:\n    ply bt ");
  }

  @Test
  void itsClassesAreInItsArchive() throws Exception {
    String output =
        run(
            home().resolve("runtime/bin/java").toString(),
            "@" + home().resolve("lib/java.options"),
            "-Xlog:class+load,cds:stderr",
            "-cp",
            home().resolve("lib/ply.jar").toString(),
            "dev.ply.cli.Ply",
            "-v");
    assertThat(output)
        .contains("dev.ply.cli.Ply source: shared objects file")
        .contains("full module graph: enabled");
  }

  @Test
  void nothingInItCanBeWrittenByOthers() throws Exception {
    assertThat(run("find", home().toString(), "!", "-type", "l", "-perm", "/022")).isEqualTo("0: ");
  }
}
