package dev.ply.cli.tool;

import dev.ply.cli.Call;
import dev.ply.cli.Ply;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs tools while a test does what they are to show. */
final class LiveTool {
  private LiveTool() {}

  /** What a test does. */
  interface Work {
    void run() throws Exception;
  }

  /**
   * Starts a tool, works when it is attached, and returns what it wrote: longer and longer, until
   * it outlasts the work. With {@code -d} among the words, they say what ends it.
   */
  static Call during(Work work, String... words) throws Exception {
    List<String> tool = Stream.concat(Stream.of("tool"), Arrays.stream(words)).toList();
    if (tool.contains("-d")) {
      return once(work, Duration.ofDays(1), tool);
    }
    for (int seconds = 2; ; seconds *= 2) {
      Call call =
          once(
              work,
              Duration.ofSeconds(seconds),
              Stream.concat(tool.stream(), Stream.of("-d", String.valueOf(seconds))).toList());
      if (call.status() != LATE) {
        return call;
      }
    }
  }

  private static final int LATE = -1;

  private static Call once(Work work, Duration time, List<String> words) throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    Messages messages = new Messages();
    FutureTask<Integer> run =
        new FutureTask<>(
            () -> {
              try {
                return new Ply(InputStream.nullInputStream(), output, messages)
                    .run(Stream.concat(words.stream(), Stream.of("-v")).toArray(String[]::new));
              } finally {
                messages.attached.countDown();
              }
            });
    new Thread(run, "tool").start();
    messages.attached.await();
    boolean isOutlasted = false;
    if (!run.isDone()) {
      work.run();
      isOutlasted = System.nanoTime() - messages.since > time.toNanos();
    }
    int status = run.get();
    return new Call(
        isOutlasted ? LATE : status, output.toString(StandardCharsets.UTF_8), messages.others());
  }

  /** What a tool says about itself, from which it is seen when it is attached. */
  private static final class Messages extends ByteArrayOutputStream {
    private final CountDownLatch attached = new CountDownLatch(1);
    private volatile long since;

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      super.write(bytes, offset, length);
      look();
    }

    @Override
    public synchronized void write(int value) {
      super.write(value);
      look();
    }

    private void look() {
      if (attached.getCount() > 0
          && toString(StandardCharsets.UTF_8).lines().anyMatch(Messages::tellsAttached)) {
        since = System.nanoTime();
        attached.countDown();
      }
    }

    private static boolean tellsAttached(String line) {
      return line.startsWith("debug: attached in");
    }

    /** Returns what else it said. */
    synchronized String others() {
      return toString(StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("debug: "))
          .map(line -> line + "\n")
          .collect(Collectors.joining());
    }
  }
}
