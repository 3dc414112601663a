package dev.ply.builtin;

import com.google.common.collect.ImmutableList;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;

/** The current thread: IDs, name, CPU. */
public final class ThreadBuiltins {
  /** The process ID. */
  public static final Builtin PID =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.PID), Effect.INVARIANT, "pid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The process id, in the first PID namespace.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[pid] = count(); }
              """,
              "pid");
        }
      };

  /** The thread ID. */
  public static final Builtin KPID =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.PID), Effect.INVARIANT, "kpid", "tid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The thread id, which the kernel calls pid.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[pid, kpid] = count(); }
              """,
              "kpid");
        }
      };

  /** The thread's name. */
  public static final Builtin COMM =
      new Builtin.Value(ArrayType.chars(16), Effect.INVARIANT, "comm", "execname") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "string of at most 15 bytes",
              """
              The name of the thread: of a program started from a shell, the start of its file
              name.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }
              """,
              "comm");
        }
      };

  /** The user ID. */
  public static final Builtin UID =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.UID), Effect.INVARIANT, "uid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The real user id, in the first user namespace.
              """,
              """
              tracepoint:sched:sched_process_exec { @[uid] = count(); }
              """,
              "uid");
        }
      };

  /** The group ID. */
  public static final Builtin GID =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.UID), Effect.INVARIANT, "gid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The real group id, in the first user namespace.
              """,
              """
              tracepoint:sched:sched_process_exec { @[gid] = count(); }
              """,
              "gid");
        }
      };

  /** The current CPU number. */
  public static final Builtin CPU =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.CPU), Effect.INVARIANT, "cpu") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The number of the CPU that runs the probe, from 0.
              """,
              """
              tracepoint:sched:sched_switch { @[cpu] = count(); }
              """,
              "cpu");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(PID, KPID, COMM, UID, GID, CPU);

  private ThreadBuiltins() {}
}
