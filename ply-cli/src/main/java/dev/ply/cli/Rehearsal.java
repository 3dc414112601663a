package dev.ply.cli;

import dev.ply.kernel.Privileges;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Typical calls of the command, one after the other, for a Java runtime that records which classes
 * they need. The launcher makes its archive of classes with it.
 */
final class Rehearsal {
  private static final String PROGRAM =
      """
      BEGIN {
        printf("%d %s\\n", pid, comm);
        @[comm, pid] = count();
        @sizes[kpid] = quantize(uid);
        seen[pid] = time;
      }
      tracepoint:raw_syscalls/sys_enter / pid == OWN / { print(comm, data->id); }
      interval:1ms { exit(0); }
      END { print(pid); }
      """
          .replace("OWN", Long.toString(ProcessHandle.current().pid()));

  private Rehearsal() {}

  /** Makes the calls; their output goes nowhere. */
  public static void main(String... arguments) {
    run("-h");
    run("-v");
    run("-e", "-S", PROGRAM);
    run("-e", "tracepoint:syscalls:sys_enter_read { @[comm] = count(); }");
    run("-e", "tracepoint:syscalls:sys_exit_read { @[comm] = quantize(data->ret); }");
    run("-e", "BEGIN { print(there_is_no_such_name); }");
    run("-e", "BEGIN {");
    if (Privileges.missing().isEmpty()) {
      run("-c", "true", PROGRAM);
      run("-d", PROGRAM);
    }
  }

  private static void run(String... arguments) {
    new Ply(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            OutputStream.nullOutputStream())
        .run(arguments);
  }
}
