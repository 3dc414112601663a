package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.VALUE;

import com.google.common.collect.ImmutableList;
import dev.ply.machine.KernelVersion;
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
              convention: six in registers on x86-64, arg0 to arg5. At the entry of a function.
              """,
              OLDEST,
              """
              kprobe:vfs_read { @[comm] = quantize(arg2); }
              """),
          new Topic(
              VALUE,
              List.of("tuple"),
              List.of("(value, value, …)", "(value,)", "tuple.0", "(name=value, …)", "record.name"),
              "tuple",
              """
              A tuple of values; .0 is its first element. Variables and maps hold tuples; == and !=
              compare them. As a key, a tuple is a key of several components: @[(1, 2)] is @[1, 2].
              Elements have 64 bits, or the type they are cast to; in ply bt they have their own
              types, and constants as few bytes as they need.

              With names it is a record: $r = (pid=pid, name=comm) has $r.pid and $r.name. Records
              with the same names, in any order, have the same type; as a key, a record is one
              component.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_fork { @from[data->child_pid] = (pid, comm); }
              tracepoint:sched:sched_process_exit { print(@from[tid].0, @from[tid].1); delete(@from, tid); }
              """),
          new Topic(
              VALUE,
              List.of("getopt"),
              List.of("getopt(\"name\")", "getopt(\"name\", default, \"description\")"),
              "number or string",
              """
              The option --name=value of the script's own command line, after --: ply bt script.bt
              -- --depth=5. It has the type of its default. Without a default, or with true or
              false, it is a flag: --name. An unknown option, such as --help, lists the script's
              options.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read / data->ret >= getopt("least", 1) / { @[comm] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("$NAME"),
              List.of("$NAME"),
              "number or string",
              """
              The environment variable NAME when ply starts: a number if it parses as one, else a
              string; empty if unset. $target is the PID of the command of -c or the process of -p.
              cpid is that of -c only, 0 without one; has_cpid tells whether there is one.

              For a simple command, also after variables, cd and before redirections (A=1 ./app, cd
              /srv && ./app 2>log), $target is the program itself. For several commands (a; b or a |
              b) it is the shell, and the programs are its children: ppid == $target.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter / pid == $target / { @ = count(); }
              """));

  private ValueTopics() {}
}
