package dev.ply.cli.io;

import dev.ply.layout.OutputFormat;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where results are written to, and how.
 *
 * @param path the file; empty for the standard output
 * @param format of the results
 */
public record OutputFile(Optional<Path> path, OutputFormat format) {
  /** What names the standard output among files. */
  private static final String STANDARD = "-";

  /**
   * Returns the file that an option names.
   *
   * @param format that an option selects, if one does; otherwise the end of the name tells it
   * @throws UsageException if the two contradict each other
   */
  static OutputFile of(Path path, Optional<OutputFormat> format) throws UsageException {
    String name = path.toString();
    if (name.equals(STANDARD)) {
      return new OutputFile(Optional.empty(), format.orElse(OutputFormat.TEXT));
    }
    Optional<OutputFormat> told = OutputFormat.ofFile(name);
    if (format.isPresent() && !format.get().fits(name)) {
      throw new UsageException(
          "-f "
              + format.get().word()
              + " and -o "
              + name
              + " contradict each other: the end of the name means "
              + told.orElseThrow().word()
              + "; leave out -f"
              + format.get().endings().stream()
                  .findFirst()
                  .map(ending -> ", or name the file *" + ending)
                  .orElse(""));
    }
    return new OutputFile(Optional.of(path), format.or(() -> told).orElse(OutputFormat.TEXT));
  }

  /** Returns whether what is written is compressed on its way. */
  boolean isCompressed() {
    return path.isPresent() && format.isCompressed(path.get().toString());
  }
}
