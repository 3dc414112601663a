package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.VALUE;

import com.google.common.collect.ImmutableList;
import dev.ply.target.KernelVersion;
import java.util.List;

/** Values other than built-ins: arguments by number, environment variables. */
final class ValueTopics {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  static final ImmutableList<Topic> ALL =
      ImmutableList.of(
          new Topic(
              VALUE,
              List.of("arg0"),
              List.of("arg0", "arg1", "argN"),
              "unsigned machine word",
              """
              Argument N of the probed function, counted from 0, by the platform's calling
              convention: on x86-64 there are six in registers, arg0 to arg5. In a kprobe at a
              function's entry.
              """,
              OLDEST,
              """
              kprobe:vfs_read { @[comm] = quantize(arg2); }
              """),
          new Topic(
              VALUE,
              List.of("tuple"),
              List.of("(value, value, …)", "(value,)", "tuple.0"),
              "tuple",
              """
              A tuple of values, and its element by number from 0. Variables and maps hold tuples;
              == and != compare them. As a key, a tuple is a key of several components: @[(1, 2)]
              is @[1, 2].
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_fork { @from[data->child_pid] = (pid, comm); }
              tracepoint:sched:sched_process_exit { print(@from[tid].0, @from[tid].1); delete(@from, tid); }
              """),
          new Topic(
              VALUE,
              List.of("$NAME"),
              List.of("$NAME"),
              "number or string",
              """
              The environment variable NAME when ply starts: a number if it parses as one, else a
              string; empty if unset. $target is the PID of the command of -c, or that of -p.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter / pid == $target / { @ = count(); }
              """));

  private ValueTopics() {}
}
