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
              List.of("(value, value, …)", "(value,)", "tuple.0", "(name=value, …)", "record.name"),
              "tuple",
              """
              A tuple of values, and its element by number from 0. Variables and maps hold tuples;
              == and != compare them. As a key, a tuple is a key of several components: @[(1, 2)]
              is @[1, 2]. Numbers take 64 bits, those that are cast what their type says; in ply bt
              all take that, and constants as few bytes as they need. With names it is a record:
              $r = (pid=pid, name=comm) has $r.pid and $r.name. Records with the same names, in any
              order, are of one type; as a key, a record is one component.
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
              The option --name=value of the script's own command line, after --, or the default:
              ply bt script.bt -- --depth=5. A number or a string as its default is; without one, or
              with true or false, a flag: --name. An unknown option, --help for example, is answered
              with those of the script.
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
              string; empty if unset. $target is the PID of the command of -c, or that of -p;
              cpid is that of -c's command only, 0 without one, and has_cpid whether there is one.
              The command is the program itself, also after variables and settings of the shell:
              A=1 ./app, cd /srv && ./app 2>log. Where it is more, such as a; b or a | b, the PID is
              that of the shell, and the programs are its children: ppid == $target.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter / pid == $target / { @ = count(); }
              """));

  private ValueTopics() {}
}
