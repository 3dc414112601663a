package dev.ply.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A program of others that reads what ply writes.
 *
 * @param executable its file
 */
public record ForeignProgram(Path executable) {
  /** Returns a program of this machine; a test that needs one is skipped where there is none. */
  public static ForeignProgram of(String name, String debianPackage) {
    Optional<Path> found =
        Arrays.stream(
                Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
            .map(directory -> Path.of(directory, name))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "needs " + name + ": apt-get install " + debianPackage);
    return new ForeignProgram(found.orElseThrow());
  }

  /** Returns Debian's Python, which has Debian's packages. */
  public static ForeignProgram python() {
    Path python = Path.of("/usr/bin/python3");
    assumeTrue(Files.isExecutable(python), "needs Python: apt-get install python3");
    return new ForeignProgram(python);
  }

  /** Returns a tool of the JDK that runs the test. */
  public static ForeignProgram ofJdk(String name) {
    Path tool = Path.of(System.getProperty("java.home"), "bin", name);
    assumeTrue(Files.isExecutable(tool), "needs a JDK, not a runtime alone");
    return new ForeignProgram(tool);
  }

  /** Runs it, and returns its output; it must end with status 0 and without messages. */
  public String read(byte[] input, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(executable.toString()));
    command.addAll(List.of(arguments));
    Path in = Files.createTempFile("ply", ".in");
    Path errors = Files.createTempFile("ply", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(Files.write(in, input).toFile())
              .redirectError(errors.toFile());
      builder.environment().put("LC_ALL", "C.UTF-8");
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      assertThat(output + Files.readString(errors)).as("status %s", status).isEqualTo(output);
      assertThat(status).as(output).isZero();
      return output;
    } finally {
      Files.delete(in);
      Files.delete(errors);
    }
  }
}
