package dev.ply.cli.manual;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * The manual.
 *
 * @param pages all of them
 */
public record ManualPages(List<ManualPage> pages) {
  /** Keeps a copy of the pages. */
  public ManualPages {
    pages = List.copyOf(pages);
  }

  /** {@return the page of a name, with or without {@code ply-} and the section} */
  public Optional<ManualPage> page(String name) {
    return pages.stream()
        .filter(
            page ->
                List.of(page.name(), page.file(), page.name() + "(" + page.section() + ")")
                        .contains(name)
                    || page.name().equals("ply-" + name))
        .findFirst();
  }

  /**
   * Writes all pages, compressed, into a directory: {@code ply.1.gz} and the like, the same bytes
   * for the same pages.
   *
   * @throws IOException if a file cannot be written
   */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (ManualPage page : pages) {
      // The header of Java's gzip files has no name and no time.
      try (OutputStream out =
          new GZIPOutputStream(Files.newOutputStream(directory.resolve(page.file() + ".gz")))) {
        out.write(page.text().getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
