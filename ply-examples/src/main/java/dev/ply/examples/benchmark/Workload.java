package dev.ply.examples.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that reads and writes single bytes as fast as it can, and tells how long that took. It
 * exists before it works, so that it can be traced by its number.
 */
final class Workload implements AutoCloseable {
  private static final Pattern SECONDS = Pattern.compile(", ([0-9.e-]+) s, ");

  private final Process process;
  private final int calls;

  private Workload(Process process, int calls) {
    this.process = process;
    this.calls = calls;
  }

  /** Starts a process that will call read(2) {@code calls} times. */
  static Workload create(int calls) throws IOException {
    String command = "read -r go; exec dd if=/dev/zero of=/dev/null bs=1 count=" + calls;
    return new Workload(
        new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start(), calls);
  }

  long pid() {
    return process.pid();
  }

  /** Has it work, waits for its end, and returns the nanoseconds that each call took. */
  double run() throws IOException, InterruptedException {
    process.getOutputStream().write('\n');
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    Matcher seconds = SECONDS.matcher(text);
    if (!seconds.find()) {
      throw new UncheckedIOException(new IOException("dd says no time: " + text.strip()));
    }
    return Double.parseDouble(seconds.group(1)) * 1e9 / calls;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
