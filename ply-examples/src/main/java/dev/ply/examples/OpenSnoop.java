package dev.ply.examples;

import static dev.ply.Values.comm;
import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static dev.ply.Values.str;

import dev.ply.ActionProbe;
import dev.ply.Probe;

/** Opened files by process. The same as {@code scripts/open-snoop.ply}. */
public final class OpenSnoop {
  /** Prints PID, command and path of every openat(2). */
  public static final ActionProbe OPENS =
      Probe.tracepoint("syscalls:sys_enter_openat")
          .printf("%-7d %-16s %s\n", pid(), comm(), str(field("filename")));

  private OpenSnoop() {}

  /** Traces the machine while a command runs, or for a while. */
  public static void main(String... command) {
    Run.trace(command, OPENS);
  }
}
