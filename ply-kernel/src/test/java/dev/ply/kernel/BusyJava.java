package dev.ply.kernel;

import java.io.IOException;

/** A process of its own that computes until it is ended, and collects garbage when it is told. */
final class BusyJava implements AutoCloseable {
  private static final long ROUND = 1_000_000;

  private final Process process;

  private BusyJava(Process process) {
    this.process = process;
  }

  /** Starts one, and waits until its methods are compiled. */
  static BusyJava start(String... options) throws IOException {
    return startWith(java.util.List.of(), options);
  }

  /** Starts one by another command, which runs the one that it is given. */
  static BusyJava startWith(java.util.List<String> wrapper, String... options) throws IOException {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().addAll(wrapper);
    builder.command().add(System.getProperty("java.home") + "/bin/java");
    builder.command().addAll(java.util.List.of(options));
    builder
        .command()
        .addAll(
            java.util.List.of(
                "-cp", System.getProperty("java.class.path"), BusyJava.class.getName()));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    if (process.getInputStream().read() < 0) {
      throw new IOException("a Java process did not start: " + builder.command());
    }
    return new BusyJava(process);
  }

  long pid() {
    return process.pid();
  }

  /** Returns whether it has written anything since it started, such as a thread dump. */
  boolean hasWritten() throws IOException {
    return process.getInputStream().available() > 0;
  }

  /** Has it collect garbage once. */
  void collect() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    if (process.getInputStream().read() < 0) {
      throw new IOException("the Java process has ended");
    }
  }

  /** Ends it, and waits until it has ended. */
  void end() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    end();
  }

  /** Computes; collects garbage for each line that it reads. */
  public static void main(String[] arguments) throws IOException {
    long result = 0;
    for (int round = 0; ; round++) {
      result += callerOfHottest();
      if (round == 100) {
        System.out.write('r');
        System.out.flush();
      }
      if (System.in.available() > 0) {
        int unused = System.in.read();
        System.gc();
        System.out.write(result == 1 ? 'x' : 'c');
        System.out.flush();
      }
    }
  }

  private static long callerOfHottest() {
    return hottest(ROUND) + 1;
  }

  private static long hottest(long rounds) {
    long random = 1;
    for (long i = 0; i < rounds; i++) {
      random = random * 6364136223846793005L + i;
      random ^= random >>> 17;
    }
    return random;
  }
}
