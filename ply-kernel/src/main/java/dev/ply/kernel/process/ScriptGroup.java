package dev.ply.kernel.process;

import dev.ply.bpf.machine.RunningScript;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.ChildProcesses;
import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.Pipe;
import dev.ply.type.TextBytes;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A shell script whose shell leads a process group. The group is killed as a whole: by {@link
 * #kill}, or if this process exits for any reason before the script has ended, SIGKILL included.
 */
public final class ScriptGroup implements RunningScript {
  private static final int SIGKILL = 9;

  /**
   * Leaves a process in the group, no child of the script, that kills the group at the end of a
   * pipe; a line from there lets it exit. While it lives no other group gets this one's number.
   */
  private static final String GUARDED =
      "( (trap '' HUP INT QUIT TERM; read -r line <&3 || kill -s KILL 0)"
          + " </dev/null >/dev/null 2>&1 & ); exec "
          + ShellCommand.SHELL
          + " -c -- \"$@\" 3<&-";

  private final int pid;
  private final Pipe lifeline;
  private final InputStream output;
  private final CompletableFuture<Integer> status;

  private ScriptGroup(int pid, Pipe lifeline, InputStream output) {
    this.pid = pid;
    this.lifeline = lifeline;
    this.output = output;
    this.status =
        CompletableFuture.supplyAsync(
            () -> ChildProcesses.await(pid),
            task -> {
              Thread waiter = new Thread(task, "ply-script");
              waiter.setDaemon(true);
              waiter.start();
            });
  }

  /**
   * Starts a script.
   *
   * @param script and its parameters, decoded by {@link TextBytes}
   * @throws IOException if no process can be started
   */
  public static ScriptGroup start(String script, List<String> parameters) throws IOException {
    List<byte[]> arguments =
        Stream.concat(Stream.of("sh", "-c", GUARDED, "sh", script, "sh"), parameters.stream())
            .map(TextBytes::encode)
            .toList();
    Pipe lifeline = Pipe.open("lifeline of a script");
    try (Pipe written = Pipe.open("output of a script")) {
      // Buffered, since a file's own stream would ask for the position in it.
      InputStream output =
          new BufferedInputStream(new FileInputStream(FileCalls.path(written.reader()).toFile()));
      try {
        int pid =
            ChildProcesses.spawnCaptured(
                ShellCommand.SHELL, arguments, lifeline.reader(), written.writer());
        return new ScriptGroup(pid, lifeline, output);
      } catch (RuntimeException | Error e) {
        output.close();
        throw e;
      }
    } catch (KernelException e) {
      lifeline.close();
      throw new IOException(e.getMessage(), e);
    } catch (IOException | RuntimeException | Error e) {
      lifeline.close();
      throw e;
    } finally {
      lifeline.reader().close();
    }
  }

  @Override
  public InputStream output() {
    return output;
  }

  @Override
  public boolean await(Duration most) throws InterruptedException {
    try {
      status.get(most.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("no end of process " + pid, e);
    }
  }

  /** Processes that have left the group are killed, too, as far as their parents still live. */
  @Override
  public void kill() {
    List<ProcessHandle> all =
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).toList();
    ChildProcesses.kill(-pid, SIGKILL);
    all.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    lifeline.writeLine();
    lifeline.close();
    try {
      output.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
