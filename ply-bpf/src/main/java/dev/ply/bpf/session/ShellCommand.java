package dev.ply.bpf.session;

import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A shell script with its parameters, run by {@code /bin/sh} without input. What it writes is
 * captured, errors included, in the order written.
 */
final class ShellCommand {
  /** The maximum duration. */
  static final Duration TIME = Duration.ofSeconds(60);

  /** The maximum size of the output. */
  static final int OUTPUT = 1 << 20;

  private static final String SHELL = "/bin/sh";
  private static final int POLL_MILLIS = 10;

  /**
   * Decodes all parameters, of which the first is the script, and runs it. Java passes arguments in
   * the encoding of the locale, in which there may be no such bytes: these are passed as octal.
   */
  private static final String DECODER =
      "for ply in \"$@\"; do ply=$(printf '%b.' \"$ply\"); set -- \"$@\" \"${ply%.}\"; shift; done;"
          + " ply=$1; shift; eval \"$ply\"";

  private final List<String> words;

  /**
   * The result of a run.
   *
   * @param output all bytes, one char each (ISO 8859-1)
   * @param end why it ended, empty if it ended by itself
   */
  record Result(String output, String end) {}

  private ShellCommand(List<String> words) {
    this.words = words;
  }

  /** Returns a command; script and parameters are encoded as {@link TextBytes} does. */
  static ShellCommand of(String script, List<String> parameters) {
    List<String> words = new ArrayList<>(List.of(SHELL, "-c"));
    boolean isPlain = isPlain(script) && parameters.stream().allMatch(ShellCommand::isPlain);
    words.add(isPlain ? script : DECODER);
    words.add("sh");
    if (!isPlain) {
      words.add(octal(script));
    }
    for (String parameter : parameters) {
      words.add(isPlain ? parameter : octal(parameter));
    }
    return new ShellCommand(words);
  }

  private static boolean isPlain(String text) {
    return text.chars().allMatch(character -> character > 0 && character < 0x80);
  }

  private static String octal(String text) {
    StringBuilder out = new StringBuilder();
    for (byte value : TextBytes.encode(text)) {
      out.append("\\0").append(Integer.toOctalString((value & 0xff) | 0x200).substring(1));
    }
    return out.toString();
  }

  /**
   * Runs the command until it ends, exceeds a budget, or {@code isOver}. What it leaves running in
   * the background goes on.
   *
   * @throws IOException if it cannot be started
   */
  Result run(BooleanSupplier isOver) throws IOException {
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .start();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    long begin = System.nanoTime();
    try (InputStream in = process.getInputStream()) {
      boolean isRunning = true;
      while (isRunning || in.available() > 0) {
        // Asked for first: all output of an ended process is available.
        isRunning = isRunning && !process.waitFor(waitFor(in), TimeUnit.MILLISECONDS);
        output.write(in.readNBytes(Math.min(in.available(), OUTPUT + 1 - output.size())));
        if (output.size() > OUTPUT) {
          return new Result(stop(process, output), "it wrote more than 1 MiB");
        }
        if (isRunning && System.nanoTime() - begin > TIME.toNanos()) {
          return new Result(stop(process, output), "it ran for " + TIME.toSeconds() + " s");
        }
        if (isRunning && isOver.getAsBoolean()) {
          return new Result(stop(process, output), "the trace has ended");
        }
      }
      return new Result(output.toString(StandardCharsets.ISO_8859_1), "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Result(stop(process, output), "the trace has ended");
    }
  }

  private static int waitFor(InputStream in) throws IOException {
    return in.available() > 0 ? 0 : POLL_MILLIS;
  }

  private static String stop(Process process, ByteArrayOutputStream output) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    String all = output.toString(StandardCharsets.ISO_8859_1);
    return all.substring(0, Math.min(OUTPUT, all.length()));
  }
}
