package dev.ply.examples.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that reads or writes single bytes as fast as it can, and tells how long that took. It
 * exists before it works, so that it can be traced by its number. It runs on the last CPU alone.
 */
final class Workload implements Work {
  private static final Pattern PROGRESS =
      Pattern.compile("(?m)^(\\d+) bytes.* copied, ([0-9.e-]+) s, ");

  /** What is told between shorter stretches of work than this part of all is not precise. */
  private static final int LEAST_SHARE = 100;

  /** How many calls of the one kind come with one of the other. */
  private static final int PER_OTHER = 100;

  private final Process process;
  private final int calls;

  /** System calls for each byte that dd says it has copied. */
  private final double callsPerByte;

  private Workload(Process process, int calls, double callsPerByte) {
    this.process = process;
    this.calls = calls;
    this.callsPerByte = callsPerByte;
  }

  /** Starts a process that will call read(2) {@code calls} times, and hardly anything else. */
  static Workload reading(int calls) throws IOException {
    return start("ibs=1 obs=" + PER_OTHER + " count=" + calls, calls);
  }

  /** Starts a process that will call write(2) some {@code calls} times, and hardly read(2). */
  static Workload writing(int calls) throws IOException {
    int blocks = Math.max(1, calls / PER_OTHER);
    return start("ibs=" + PER_OTHER + " obs=1 count=" + blocks, blocks * PER_OTHER);
  }

  /**
   * Starts a process that will make some {@code calls} system calls of which a share is read(2).
   */
  static Workload mixed(Mix mix, int calls) throws IOException {
    return start(mix.operands(calls), calls, mix.callsPerByte());
  }

  private static Workload start(String operands, int calls) throws IOException {
    return start(operands, calls, 1);
  }

  private static Workload start(String operands, int calls, double callsPerByte)
      throws IOException {
    String dd = Pinning.TO_LAST.command() + "dd if=/dev/zero of=/dev/null " + operands;
    // USR1 asks dd how far it is; before dd listens, it would be the end of it.
    String command = "trap '' USR1; read -r go; exec " + dd;
    Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    return new Workload(process, calls, callsPerByte);
  }

  @Override
  public long pid() {
    return process.pid();
  }

  /** Has it work, waits for its end, and returns the nanoseconds that each call took. */
  double run() throws IOException, InterruptedException {
    List<Progress> told = work();
    return told.get(told.size() - 1).nanos() / calls;
  }

  /**
   * Has it work and tell some thirty times a second how far it has come. Returns the nanoseconds of
   * a call in the quickest of these stretches, since other work on the machine only adds to them;
   * of calls too slow for that, those of all.
   */
  @Override
  public double quietRun() throws IOException, InterruptedException {
    String asking = "while kill -USR1 " + pid() + " && sleep 0.03; do :; done";
    Process asker =
        new ProcessBuilder("sh", "-c", "sleep 0.05; " + asking)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      List<Progress> told = work();
      double quickest = told.get(told.size() - 1).nanos() / calls;
      Progress before = new Progress(0, 0);
      for (Progress progress : told) {
        double done = progress.calls() - before.calls();
        if (done > (double) calls / LEAST_SHARE) {
          quickest = Math.min(quickest, (progress.nanos() - before.nanos()) / done);
        }
        before = progress;
      }
      return quickest;
    } finally {
      asker.destroy();
    }
  }

  /** How many calls were done after how long. */
  private record Progress(double calls, double nanos) {}

  private List<Progress> work() throws IOException, InterruptedException {
    process.getOutputStream().write('\n');
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    List<Progress> told = new ArrayList<>();
    Matcher matcher = PROGRESS.matcher(text);
    while (matcher.find()) {
      told.add(
          new Progress(
              Long.parseLong(matcher.group(1)) * callsPerByte,
              Double.parseDouble(matcher.group(2)) * 1e9));
    }
    if (status != 0) {
      // What it told before is not a measurement of all.
      throw new IOException("dd ended with status " + status + ": " + lastLine(text));
    }
    if (told.isEmpty() || told.get(told.size() - 1).nanos() <= 0) {
      throw new IOException("dd gave no time: " + lastLine(text));
    }
    return told;
  }

  private static String lastLine(String text) {
    String said = text.strip();
    return said.substring(said.lastIndexOf('\n') + 1);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
