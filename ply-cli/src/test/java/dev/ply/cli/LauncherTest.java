package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher where it does not come as far as Java. */
class LauncherTest {
  private static final Path LAUNCHER = Path.of("bin", "ply").toAbsolutePath();

  @TempDir Path directory = Path.of("");

  private static String run(Path launcher, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", launcher.toString(), "-v").redirectErrorStream(true);
    builder.environment().remove("JAVA_HOME");
    builder.environment().putAll(environment);
    Process process = builder.start();
    String says = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + ": " + says;
  }

  private Path runtime(String release) throws IOException {
    return runtime(release, "");
  }

  private Path runtime(String release, String script) throws IOException {
    Path home = Files.createDirectories(directory.resolve("java"));
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(home.resolve("release"), release);
    return home;
  }

  @Test
  void aWrongJavaHomeIsNamed() throws Exception {
    assertThat(run(LAUNCHER, Map.of("JAVA_HOME", "/nowhere")))
        .isEqualTo("1: ply: JAVA_HOME is /nowhere, which has no bin/java\n");
  }

  @Test
  void aWorkingDirectoryThatIsGoneIsReported() throws Exception {
    Path gone = Files.createDirectory(directory.resolve("gone"));
    Process process =
        new ProcessBuilder(
                "/bin/sh",
                "-c",
                "cd \"$1\" && rmdir \"$1\" && exec \"$2\" -v",
                "sh",
                gone.toString(),
                LAUNCHER.toString())
            .redirectErrorStream(true)
            .start();
    String says = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor() + ": " + says)
        .startsWith("1: ")
        .endsWith(
            "ply: the working directory has been removed, or cannot be reached: cd to another"
                + " first\n");
  }

  @Test
  void anOldJavaIsNamed() throws Exception {
    Path home = runtime("IMPLEMENTOR=\"N/A\"\nJAVA_VERSION=\"11.0.2\"\n");
    assertThat(run(LAUNCHER, Map.of("JAVA_HOME", home.toString())))
        .isEqualTo("1: ply: Java 17 or later is needed, and " + home + " is Java 11.0.2\n");
  }

  @Test
  void withoutJavaOneSentenceSaysWhatToDo() throws Exception {
    assertThat(run(LAUNCHER, Map.of("PATH", directory.toString())))
        .isEqualTo(
            "1: ply: no Java found: install Java 17 or later, or set JAVA_HOME to where it is\n");
  }

  @Test
  void withoutMavenAFirstUseSaysWhatToDo() throws Exception {
    Path copy = Files.createDirectories(directory.resolve("p l y/ply-cli/bin")).resolve("ply");
    Files.copy(LAUNCHER, copy);
    Path home = runtime("JAVA_VERSION=\"21\"\n");
    assertThat(run(copy, Map.of("JAVA_HOME", home.toString(), "PATH", directory.toString())))
        .isEqualTo(
            "1: ply: not built yet, and no mvn found to build it with:"
                + " install Maven and start again\n");
  }

  @Test
  void anArchiveThatCannotBeCreatedIsReportedOnce() throws Exception {
    Path command = Files.createDirectories(directory.resolve("ply-cli"));
    Path copy = Files.createDirectories(command.resolve("bin")).resolve("ply");
    Files.copy(LAUNCHER, copy);
    Path library = Files.createDirectories(command.resolve("target/lib"));
    Files.createFile(library.resolve("prepared"));
    Path home =
        runtime(
            "JAVA_VERSION=\"17.0.15\"\nOS_ARCH=\"x86_64\"\n",
            "case \"$*\" in *Rehearsal*) echo out of luck; exit 1 ;; esac; echo it runs\n");
    Map<String, String> environment = Map.of("JAVA_HOME", home.toString());
    String first = run(copy, environment);
    assertThat(first).contains("ply: no class archive could be created").endsWith("it runs\n");
    String log = first.replaceAll("(?s).* see ([^\n]*).*", "$1");
    assertThat(Path.of(log)).hasContent("out of luck");
    assertThat(run(copy, environment)).isEqualTo("0: it runs\n");
  }

  /** A built command, whose runtime says whether it starts with an archive. */
  private Path built(String before) throws IOException {
    Path command = Files.createDirectories(directory.resolve("ply-cli"));
    Path copy = Files.createDirectories(command.resolve("bin")).resolve("ply");
    Files.writeString(copy, before + Files.readString(LAUNCHER));
    Path library = Files.createDirectories(command.resolve("target/lib"));
    Files.createFile(library.resolve("prepared"));
    Files.createFile(library.resolve("ply-core.jar"));
    Files.createFile(library.resolve("other.jar"));
    Path jna = Files.createDirectories(library.resolve("com/sun/jna/linux-x86-64"));
    Files.createFile(jna.resolve("libjnidispatch.so"));
    return copy;
  }

  private Map<String, String> withRuntime() throws IOException {
    Path home =
        runtime(
            "JAVA_VERSION=\"17.0.15\"\nOS_ARCH=\"x86_64\"\n",
            "for option; do case $option in -XX:SharedArchiveFile=*) file=${option#*=} ;; esac;"
                + " done\n"
                + "case \"$*\" in *dump*) echo x >\"$file\" ;; *Rehearsal*) ;; *SharedArchiveFile*)"
                + " echo quick ;; *) echo slow ;; esac\n");
    return Map.of("JAVA_HOME", home.toString());
  }

  /** Returns a directory and all that is in it. */
  private static List<Path> within(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.toList();
    }
  }

  private static boolean isRoot(Path own) throws IOException {
    return Files.getAttribute(own, "unix:uid").equals(0);
  }

  private static void open(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void anArchiveThatOthersCanChangeIsNotUsed() throws Exception {
    // Whatever the caller's umask, the first start creates nothing that others can write.
    Path ply = built("umask 000\n");
    Map<String, String> environment = withRuntime();
    assertThat(run(ply, environment)).endsWith("quick\n");
    Path launch = directory.resolve("ply-cli/target/launch");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(launch)))
        .isEqualTo("rwxr-xr-x");
    assertThat(run(ply, environment)).isEqualTo("0: quick\n");
    for (Path changeable : within(launch)) {
      for (String permissions : List.of("rwxrwxrwx", "rwxrwxr-x")) {
        open(changeable, permissions);
        assertThat(run(ply, environment))
            .startsWith("0: ply: warning: " + changeable.toRealPath() + " can be written by ")
            .endsWith("slow\n");
      }
      open(changeable, "rwxr-xr-x");
    }
    assertThat(run(ply, environment)).isEqualTo("0: quick\n");
  }

  @Test
  void anArchiveOfAnotherUserIsNotUsed() throws Exception {
    Path ply = built("");
    Map<String, String> environment = withRuntime();
    assertThat(run(ply, environment)).endsWith("quick\n");
    Path launch = directory.resolve("ply-cli/target/launch");
    assumeTrue(isRoot(launch), "only root makes files of others");
    for (Path of : within(launch)) {
      Files.setAttribute(of, "unix:uid", 65534);
      assertThat(run(ply, environment))
          .startsWith("0: ply: warning: " + of.toRealPath() + " belongs to another user")
          .endsWith("slow\n");
      Files.setAttribute(of, "unix:uid", 0);
    }
    assertThat(run(ply, environment)).isEqualTo("0: quick\n");
  }

  private List<Path> loaded() {
    Path target = directory.resolve("ply-cli/target");
    Path library = target.resolve("lib");
    return List.of(
        target,
        library,
        library.resolve("ply-core.jar"),
        library.resolve("other.jar"),
        library.resolve("com/sun"),
        library.resolve("com/sun/jna/linux-x86-64/libjnidispatch.so"),
        directory.resolve("ply-cli"),
        directory);
  }

  @Test
  void rootRunsNoCodeThatOthersCanChange() throws Exception {
    Path ply = built("");
    Map<String, String> environment = withRuntime();
    assertThat(run(ply, environment)).endsWith("quick\n");
    String home = directory.toRealPath().toString();
    for (Path changeable : loaded()) {
      String file = changeable.toRealPath().toString();
      String remedy = file.equals(home) ? "chmod o-w " : "chmod -R o-w ";
      open(changeable, "rwxrwxrwx");
      assertThat(run(ply, environment))
          .isEqualTo(
              isRoot(changeable)
                  ? "1: ply: "
                      + file
                      + " can be written by others, who could run anything as root: "
                      + remedy
                      + home
                      + ", or start ply as a user\n"
                  : "0: ply: warning: "
                      + file
                      + " can be written by others; classes prepared for quick starts are not"
                      + " used\nslow\n");
      open(changeable, "rwxr-xr-x");
    }
    assertThat(run(ply, environment)).isEqualTo("0: quick\n");
  }

  @Test
  void rootRunsNoCodeOfAnotherUserThanTheCommands() throws Exception {
    Path ply = built("");
    Map<String, String> environment = withRuntime();
    assertThat(run(ply, environment)).endsWith("quick\n");
    assumeTrue(isRoot(ply), "only root makes files of others");
    for (Path of : loaded()) {
      Files.setAttribute(of, "unix:uid", 65534);
      assertThat(run(ply, environment))
          .startsWith(
              "1: ply: " + of.toRealPath() + " belongs to another user, who could run anything")
          .contains(": chown ")
          .endsWith(", or start ply as a user\n");
      Files.setAttribute(of, "unix:uid", 0);
    }
    // A checkout of a user, which root runs.
    for (Path file : within(directory)) {
      Files.setAttribute(file, "unix:uid", 65534);
    }
    assertThat(run(ply, environment)).isEqualTo("0: quick\n");
  }

  @Test
  void theHeapIsASize() throws Exception {
    Path command = Files.createDirectories(directory.resolve("ply-cli"));
    Path copy = Files.createDirectories(command.resolve("bin")).resolve("ply");
    Files.copy(LAUNCHER, copy);
    Files.createFile(Files.createDirectories(command.resolve("target/lib")).resolve("prepared"));
    Path home = runtime("JAVA_VERSION=\"17.0.15\"\nOS_ARCH=\"x86_64\"\n", "echo \"$@\"\n");
    for (String wrong : List.of("2", "m", "16m", "2x", "-1g", "1 g", "9999999g", "0g")) {
      assertThat(run(copy, Map.of("JAVA_HOME", home.toString(), "PLY_HEAP", wrong)))
          .isEqualTo(
              "1: ply: PLY_HEAP is the size of the heap, such as 256m or 2g and at least 32m, not"
                  + " \"%s\"\n",
              wrong);
    }
    assertThat(run(copy, Map.of("JAVA_HOME", home.toString(), "PLY_HEAP", "2g")))
        .contains("-Xmx2g")
        .doesNotContain("-Xms");
  }

  @Test
  void aRuntimeThatDoesNotNameItsProcessorGetsTheLibraryOfThisMachinesToo() throws Exception {
    Path command = Files.createDirectories(directory.resolve("ply-cli"));
    Path copy = Files.createDirectories(command.resolve("bin")).resolve("ply");
    Files.copy(LAUNCHER, copy);
    Path library = Files.createDirectories(command.resolve("target/lib"));
    Files.createFile(library.resolve("prepared"));
    for (String processor : List.of("x86-64", "aarch64")) {
      Path unpacked = Files.createDirectories(library.resolve("com/sun/jna/linux-" + processor));
      Files.createFile(unpacked.resolve("libjnidispatch.so"));
    }
    // As jlink writes it.
    Path home = runtime("JAVA_VERSION=\"17.0.15\"\nMODULES=\"java.base\"\n", "echo \"$@\"\n");
    assertThat(run(copy, Map.of("JAVA_HOME", home.toString())))
        .contains("-Djna.boot.library.path=" + library.toRealPath() + "/com/sun/jna/linux-")
        .contains("-XX:+UseTransparentHugePages")
        // A thread dump is no result.
        .contains("-XX:+DisplayVMOutputToStderr");
  }
}
