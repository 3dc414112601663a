package dev.ply.kernel.process;

import dev.ply.kernel.sys.ChildProcesses;
import dev.ply.kernel.sys.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A process that sends SIGTERM to a command once this process has exited for any reason, including
 * SIGKILL. It waits for the end of a pipe that this process holds open.
 */
final class Watchdog implements AutoCloseable {
  private static final String WATCH =
      "trap '' HUP INT TERM; read -r line <&3 || kill -s TERM -- \"$0\"";

  private final Pipe pipe;
  private final int pid;

  private Watchdog(Pipe pipe, int pid) {
    this.pipe = pipe;
    this.pid = pid;
  }

  /**
   * Starts the process.
   *
   * @param target the PID of the command, or its negated process group ID
   */
  static Watchdog over(int target, List<byte[]> environment) {
    Pipe pipe = Pipe.open("pipe of the watchdog");
    try {
      List<byte[]> arguments =
          List.of(ascii("sh"), ascii("-c"), ascii(WATCH), ascii(Integer.toString(target)));
      int pid =
          ChildProcesses.spawn(
              ShellCommand.SHELL, arguments, environment, pipe.reader(), /* ownGroup= */ true);
      return new Watchdog(pipe, pid);
    } catch (RuntimeException | Error e) {
      pipe.close();
      throw e;
    } finally {
      pipe.reader().close();
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Stops watching, without effect on the command. */
  @Override
  public void close() {
    pipe.writeLine();
    pipe.close();
    int unused = ChildProcesses.await(pid);
  }
}
