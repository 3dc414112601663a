package dev.ply.kernel.process;

import dev.ply.kernel.sys.ChildProcesses;
import dev.ply.kernel.sys.Pipe;
import dev.ply.type.TextBytes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A command that starts when it is released, with this process's standard streams and no other
 * descriptors. Its process and PID exist from the start. It is stopped when this object is closed,
 * or this process exits for any reason.
 *
 * <p>The command leads a process group, which is stopped as a whole. In the foreground of a
 * terminal it stays in this process's group instead, which alone can read from the terminal.
 */
public final class ChildProcess implements AutoCloseable {
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;

  /** The time for a command to react to SIGTERM. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Pipe gate;
  private final int pid;
  private final Watchdog watchdog;
  private final boolean inForeground;
  private final CompletableFuture<Integer> status = new CompletableFuture<>();
  private volatile boolean leftToInterrupt;

  private ChildProcess(Pipe gate, int pid, Watchdog watchdog, boolean inForeground) {
    this.gate = gate;
    this.pid = pid;
    this.watchdog = watchdog;
    this.inForeground = inForeground;
  }

  /**
   * Starts a process that waits to execute a command.
   *
   * @param command decoded by {@link TextBytes}, as are the variables: its bytes are kept in any
   *     locale
   * @param environment {@code NAME=value} each
   * @throws dev.ply.kernel.error.KernelException if no process can be started
   */
  public static ChildProcess start(ChildCommand command, List<String> environment) {
    boolean inForeground = Terminal.isForeground();
    List<byte[]> variables = environment.stream().map(TextBytes::encode).toList();
    List<byte[]> arguments = command.waiting().stream().map(TextBytes::encode).toList();
    Pipe gate = Pipe.open("pipe of the command");
    try {
      int pid =
          ChildProcesses.spawn(
              ShellCommand.SHELL, arguments, variables, gate.reader(), !inForeground);
      Watchdog watchdog = Watchdog.over(inForeground ? pid : -pid, variables);
      ChildProcess child = new ChildProcess(gate, pid, watchdog, inForeground);
      child.awaitEnd();
      return child;
    } catch (RuntimeException | Error e) {
      // Closing the pipe stops a child that is already waiting.
      gate.close();
      throw e;
    } finally {
      gate.reader().close();
    }
  }

  private void awaitEnd() {
    Thread waiter = new Thread(() -> status.complete(ChildProcesses.await(pid)), "ply-child");
    waiter.setDaemon(true);
    waiter.start();
  }

  /** Returns the PID of the process, which the command inherits. */
  public long pid() {
    return pid;
  }

  /** Lets the command run. */
  public void release() {
    gate.writeLine();
  }

  /**
   * Returns the exit status once the command has exited, as shells report it: 126 if it cannot be
   * executed, 127 if it is not found, 128 and the signal's number if it was killed.
   */
  public CompletableFuture<Integer> status() {
    return status.copy();
  }

  /**
   * Reports that this process received SIGINT. In the foreground of a terminal the command received
   * it too, and gets no other signal.
   */
  public void interrupted() {
    leftToInterrupt = inForeground;
  }

  /** Stops the command if it still runs: by SIGTERM, then by SIGKILL. */
  @Override
  public void close() {
    gate.close();
    if (!leftToInterrupt && !status.isDone()) {
      int target = inForeground ? pid : -pid;
      List<ProcessHandle> others = inForeground ? descendants() : List.of();
      ChildProcesses.kill(target, SIGTERM);
      others.forEach(ProcessHandle::destroy);
      if (!isGone(target, others)) {
        ChildProcesses.kill(target, SIGKILL);
        others.forEach(ProcessHandle::destroyForcibly);
      }
    }
    watchdog.close();
  }

  private List<ProcessHandle> descendants() {
    return ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).toList();
  }

  /** Waits until all processes of the command have exited. */
  private boolean isGone(int target, List<ProcessHandle> others) {
    long begin = System.nanoTime();
    try {
      // Other processes than children can only be polled.
      while (!status.isDone()
          || ChildProcesses.exists(target)
          || others.stream().anyMatch(ProcessHandle::isAlive)) {
        if (System.nanoTime() - begin > GRACE.toNanos()) {
          return false;
        }
        Thread.sleep(1);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
