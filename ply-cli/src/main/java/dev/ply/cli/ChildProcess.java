package dev.ply.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A shell command that starts when it is released, with this process's standard input and outputs.
 * Its process exists, and has its number, from the start; it waits for a line from a named pipe.
 * Closing it before the release ends it, and it has run nothing; so does the end of this process.
 */
final class ChildProcess implements AutoCloseable {
  private static final String WAITING = "read -r line <\"$0\" && exec sh -c \"$1\"";

  /** Where the launcher keeps an LC_ALL that had no UTF-8; empty if there was none. */
  private static final String TAKEN_LOCALE = "PLY_LC_ALL";

  private final Path directory;
  private final Path gate;
  private final FileChannel opener;
  private final Process process;
  private boolean released;

  private ChildProcess(Path directory, Path gate, FileChannel opener, Process process) {
    this.directory = directory;
    this.gate = gate;
    this.opener = opener;
    this.process = process;
  }

  /** Starts a process that waits to run a shell's command. */
  static ChildProcess start(String command) {
    try {
      Path directory = makeDirectory();
      Path gate = directory.resolve("gate");
      // For ends of this process that leave no time to close anything.
      directory.toFile().deleteOnExit();
      gate.toFile().deleteOnExit();
      makePipe(gate);
      // Opened for both, a pipe need not wait for its other end.
      FileChannel opener =
          FileChannel.open(gate, StandardOpenOption.READ, StandardOpenOption.WRITE);
      ProcessBuilder shell =
          new ProcessBuilder("sh", "-c", WAITING, gate.toString(), command).inheritIO();
      restoreLocale(shell.environment());
      return new ChildProcess(directory, gate, opener, shell.start());
    } catch (IOException e) {
      throw new UncheckedIOException("the command cannot be started: " + e.getMessage(), e);
    }
  }

  /** Gives the command the locale that the launcher took from this process, if it did. */
  private static void restoreLocale(Map<String, String> environment) {
    String own = environment.remove(TAKEN_LOCALE);
    if (own != null && own.isEmpty()) {
      environment.remove("LC_ALL");
    } else if (own != null) {
      environment.put("LC_ALL", own);
    }
  }

  /**
   * Makes a directory that only this user can open. Its name need not be hard to guess, as {@link
   * Files#createTempDirectory} has it: to start Java's cryptography takes as long as compiling a
   * script.
   */
  private static Path makeDirectory() throws IOException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    FileAttribute<?> closed =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    // The clock tells what this process makes from what another of its number has left.
    String name = "ply-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    return Files.createDirectory(parent.resolve(name), closed);
  }

  private static void makePipe(Path gate) throws IOException {
    Process mkfifo =
        new ProcessBuilder("mkfifo", "-m", "600", gate.toString())
            .redirectErrorStream(true)
            .start();
    String complaint = new String(mkfifo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!Files.exists(gate)) {
      throw new IOException("no named pipe: " + complaint.strip());
    }
  }

  /** Returns the process's number, which the command keeps. */
  long pid() {
    return process.pid();
  }

  /** Lets the command run, and calls {@code ended} once it has ended, on another thread. */
  void release(Runnable ended) throws InterruptedException {
    try {
      // What is written to a pipe is lost if all close it before the reader has opened it.
      while (!isReading() && !process.waitFor(1, TimeUnit.MILLISECONDS)) {}
      opener.write(ByteBuffer.wrap(new byte[] {'\n'}));
      released = true;
      deleteGate();
    } catch (IOException e) {
      throw new UncheckedIOException("the command cannot be started: " + e.getMessage(), e);
    }
    CompletableFuture<Void> unused = process.onExit().thenRun(ended);
  }

  /** Tells whether the waiting shell has the pipe as its standard input. */
  private boolean isReading() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/fd/0")).equals(gate);
    } catch (IOException e) {
      return false;
    }
  }

  private void deleteGate() throws IOException {
    opener.close();
    Files.deleteIfExists(gate);
    Files.deleteIfExists(directory);
  }

  @Override
  public void close() {
    if (released) {
      return;
    }
    process.destroy();
    try {
      deleteGate();
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " cannot be deleted: " + e.getMessage(), e);
    }
  }
}
