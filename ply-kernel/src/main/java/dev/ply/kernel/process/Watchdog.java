package dev.ply.kernel.process;

import dev.ply.kernel.sys.ChildProcesses;
import dev.ply.kernel.sys.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A process that stops a command, by SIGTERM and a second later by SIGKILL, once this process has
 * exited for any reason, SIGKILL included. It waits for the end of a pipe that this process holds
 * open.
 */
final class Watchdog implements AutoCloseable {
  /** A single process is stopped with its descendants. */
  private static final String WATCH =
      """
      trap '' HUP INT TERM
      exec </dev/null >/dev/null 2>&1
      read -r line <&3 && exit
      tree() { echo "$1"; for child in $(cat /proc/"$1"/task/*/children); do tree "$child"; done; }
      case $0 in -*) all=$0 ;; *) all=$(tree "$0") ;; esac
      lives() { for one in $all; do kill -s 0 -- "$one" && return; done; return 1; }
      kill -s TERM -- $all
      for tenth in 1 2 3 4 5 6 7 8 9 10; do lives || exit; sleep .1; done
      kill -s KILL -- $all
      """;

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
