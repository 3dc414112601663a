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
   * @param format that another option selects, for names that tell none or can be of it
   */
  static OutputFile of(Path path, Optional<OutputFormat> format) {
    String name = path.toString();
    if (name.equals(STANDARD)) {
      return new OutputFile(Optional.empty(), format.orElse(OutputFormat.TEXT));
    }
    Optional<OutputFormat> selected = format.filter(one -> one.fits(name));
    return new OutputFile(
        Optional.of(path), selected.or(() -> OutputFormat.ofFile(name)).orElse(OutputFormat.TEXT));
  }

  /** Returns the page of a name. */
  static OutputFile page(Path path) {
    return new OutputFile(
        Optional.of(path).filter(one -> !one.toString().equals(STANDARD)), OutputFormat.HTML);
  }

  /** Returns whether what is written is compressed on its way. */
  boolean isCompressed() {
    return path.isPresent() && format.isCompressed(path.get().toString());
  }
}
