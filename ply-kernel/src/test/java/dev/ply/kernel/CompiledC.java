package dev.ply.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Programs of sources in the directory {@code unwind} of the resources. */
public final class CompiledC {
  private CompiledC() {}

  /**
   * Compiles a program or library; empty if there is no such compiler, or it cannot link so.
   *
   * @param source the name of the source, whose ending is left out in that of the program
   */
  public static Optional<Path> compile(
      Path directory, String source, String compiler, List<String> options)
      throws IOException, InterruptedException {
    Path copied = directory.resolve(source);
    try (InputStream content = CompiledC.class.getResourceAsStream("/unwind/" + source)) {
      Files.write(copied, Objects.requireNonNull(content).readAllBytes());
    }
    Path program = directory.resolve(source.substring(0, source.indexOf('.')));
    List<String> command = new ArrayList<>(List.of(compiler));
    command.addAll(options);
    command.addAll(List.of("-o", program.toString(), copied.toString()));
    try {
      int status = new ProcessBuilder(command).inheritIO().start().waitFor();
      return status == 0 ? Optional.of(program) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
