package dev.ply.bpf.machine;

import dev.ply.type.TextBytes;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A shell script in a process that Java starts, on any system. */
final class ScriptProcess implements RunningScript {
  private static final String SHELL = "/bin/sh";

  /**
   * Decodes all parameters, of which the first is the script, and runs it. Java passes arguments in
   * the encoding of the locale, in which there may be no such bytes: these are passed as octal.
   */
  private static final String DECODER =
      "for ply in \"$@\"; do ply=$(printf '%b.' \"$ply\"); set -- \"$@\" \"${ply%.}\"; shift; done;"
          + " ply=$1; shift; eval \"$ply\"";

  private final Process process;

  private ScriptProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a script; its text and the parameters are encoded as {@link TextBytes} does.
   *
   * @throws IOException if it cannot be started
   */
  static ScriptProcess start(String script, List<String> parameters) throws IOException {
    return new ScriptProcess(
        new ProcessBuilder(words(script, parameters))
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .start());
  }

  private static List<String> words(String script, List<String> parameters) {
    List<String> words = new ArrayList<>(List.of(SHELL, "-c", "--"));
    boolean isPlain = isPlain(script) && parameters.stream().allMatch(ScriptProcess::isPlain);
    words.add(isPlain ? script : DECODER);
    words.add("sh");
    if (!isPlain) {
      words.add(octal(script));
    }
    for (String parameter : parameters) {
      words.add(isPlain ? parameter : octal(parameter));
    }
    return words;
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

  @Override
  public InputStream output() {
    return process.getInputStream();
  }

  @Override
  public boolean await(Duration most) throws InterruptedException {
    return process.waitFor(most.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() {
    try {
      process.getInputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
