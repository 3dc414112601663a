package dev.ply.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Programs of the directory {@code unwind} of the resources. */
public final class CompiledC {
  private CompiledC() {}

  /**
   * Compiles a program or library; empty if there is no such compiler, or it cannot link so.
   *
   * @param name the source's name without its ending
   */
  public static Optional<Path> compile(
      Path directory, String name, String compiler, List<String> options)
      throws IOException, InterruptedException {
    Path source = directory.resolve(name + ".c");
    try (InputStream content = CompiledC.class.getResourceAsStream("/unwind/" + name + ".c")) {
      Files.write(source, Objects.requireNonNull(content).readAllBytes());
    }
    Path program = directory.resolve(name);
    List<String> command = new ArrayList<>(List.of(compiler));
    command.addAll(options);
    command.addAll(List.of("-o", program.toString(), source.toString()));
    try {
      int status = new ProcessBuilder(command).inheritIO().start().waitFor();
      return status == 0 ? Optional.of(program) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
