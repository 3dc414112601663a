package dev.ply.examples.benchmark;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A tracer that runs, with its programs attached. Closing ends it. */
final class Traced implements AutoCloseable {
  private static final Pattern LOST = Pattern.compile("(?i)lost (\\d+) events|(\\d+) events lost");
  private static final long MOST_SECONDS = 60;

  /** How often the same programs are seen to run before they are taken for those of the trace. */
  private static final int SURELY = 3;

  private final Process process;
  private final CompletableFuture<Delivery> printed;
  private final CompletableFuture<String> errors;

  private Traced(
      Process process, CompletableFuture<Delivery> printed, CompletableFuture<String> errors) {
    this.process = process;
    this.printed = printed;
    this.errors = errors;
  }

  /** How many events a tracer printed, and how many it says it has lost. */
  record Delivery(long delivered, long lost) {}

  /** What a tracer printed, and the milliseconds from Ctrl-C until it ended. */
  record Ending(Delivery delivery, double millis) {}

  /**
   * Starts a tracer and waits until its programs run. Has the kernel count their runs.
   *
   * @throws IOException if the tracer ends at once, with what it says
   */
  static Traced start(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).start();
    Traced traced =
        new Traced(
            process,
            CompletableFuture.supplyAsync(() -> read(process.getInputStream())),
            CompletableFuture.supplyAsync(() -> text(process.getErrorStream())));
    BpfStats.enable(true);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    // Programs on system calls run all the time, whether they find what they look for or not; those
    // that a tracer only tries, to see what the kernel has, are gone soon.
    BpfStats.Sum before = BpfStats.Sum.NOTHING;
    for (int grown = 0; grown < SURELY; ) {
      if (process.waitFor(10, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
        traced.close();
        String said = traced.errors.join().strip();
        throw new IOException(said.isEmpty() ? "it did nothing" : said.lines().findFirst().get());
      }
      BpfStats.Sum now = traced.stats();
      boolean grows = now.runs() > before.runs() && now.programs() == before.programs();
      grown = grows ? grown + 1 : 0;
      before = now;
    }
    return traced;
  }

  /** Keeps the tracer off the last CPU from now on, where workloads may run. */
  void pin() throws IOException, InterruptedException {
    Pinning.OFF_LAST.apply(process.pid());
  }

  BpfStats.Sum stats() {
    return BpfStats.of(process.toHandle());
  }

  /** Ends the tracer as Ctrl-C does, and returns what it printed until then. */
  Delivery finish() throws IOException, InterruptedException {
    return end().delivery();
  }

  /** Ends the tracer as Ctrl-C does. */
  Ending end() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    long begin = System.nanoTime();
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("it does not end");
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    try {
      Delivery out = printed.get();
      Delivery all = new Delivery(out.delivered(), out.lost() + lost(errors.get()));
      return new Ending(all, millis);
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /**
   * What a tracer printed: events, which are lines of numbers at both ends, and how many it says
   * are lost. Made of bytes, so that the tracers are measured and not this.
   */
  static Delivery read(InputStream in) {
    long delivered = 0;
    long lost = 0;
    byte[] buffer = new byte[1 << 16];
    ByteArrayOutputStream other = new ByteArrayOutputStream();
    byte first = '\n';
    byte last = '\n';
    try {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        int begin = 0;
        for (int i = 0; i < count; i++) {
          byte next = buffer[i];
          if (next == '\n') {
            if (isDigit(first) && isDigit(last)) {
              delivered++;
            } else {
              other.write(buffer, begin, i - begin);
              lost += lost(other.toString(StandardCharsets.UTF_8));
            }
            other.reset();
            begin = i + 1;
            first = '\n';
          } else {
            first = first == '\n' ? next : first;
            last = next;
          }
        }
        other.write(buffer, begin, count - begin);
      }
    } catch (IOException e) {
      // It was ended; what it printed until then counts.
      return new Delivery(delivered, lost);
    }
    return new Delivery(delivered, lost);
  }

  private static boolean isDigit(byte character) {
    return character >= '0' && character <= '9';
  }

  private static long lost(String text) {
    long lost = 0;
    Matcher matcher = LOST.matcher(text);
    while (matcher.find()) {
      lost += Long.parseLong(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    return lost;
  }

  private static String text(InputStream in) {
    StringBuilder text = new StringBuilder();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        text.append(line).append('\n');
      }
    } catch (IOException e) {
      text.append(e.getMessage());
    }
    return text.toString();
  }
}
