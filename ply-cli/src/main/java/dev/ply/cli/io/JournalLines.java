package dev.ply.cli.io;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Lines for the journal of systemd: each begins with its priority, by its first word. Not
 * thread-safe; {@link ErrorStream} is.
 */
public final class JournalLines extends OutputStream {
  private static final Path ERRORS = Path.of("/proc/self/fd/2");

  private final OutputStream journal;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  JournalLines(OutputStream journal) {
    this.journal = journal;
  }

  /**
   * Returns a stream of lines that are read by the journal if the standard error is, else the
   * stream as it is.
   *
   * @param environment with {@code JOURNAL_STREAM}, the device and inode of what systemd reads
   */
  public static OutputStream of(OutputStream errors, Map<String, String> environment) {
    return environment.getOrDefault("JOURNAL_STREAM", "").equals(standardError())
        ? new JournalLines(errors)
        : errors;
  }

  private static String standardError() {
    try {
      return Files.getAttribute(ERRORS, "unix:dev") + ":" + Files.getAttribute(ERRORS, "unix:ino");
    } catch (IOException e) {
      return "closed";
    }
  }

  @Override
  public void write(int value) throws IOException {
    line.write(value);
    if (value == '\n') {
      String text = line.toString(StandardCharsets.UTF_8);
      line.reset();
      journal.write((priority(text) + text).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String priority(String text) {
    if (text.startsWith("error: ")) {
      return "<3>";
    } else if (text.startsWith("warning: ")) {
      return "<4>";
    }
    return text.startsWith("debug: ") ? "<7>" : "<6>";
  }

  @Override
  public void flush() throws IOException {
    journal.flush();
  }
}
