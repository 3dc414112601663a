package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.STATEMENT;

import com.google.common.collect.ImmutableList;
import dev.ply.target.KernelVersion;
import java.util.List;

/** What a script is made of. */
final class StatementTopics {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  static final ImmutableList<Topic> ALL =
      ImmutableList.of(
          new Topic(
              STATEMENT,
              List.of("predicate"),
              List.of("probe / expression / { … }"),
              "",
              """
              The block is run where the expression is not zero. The same as probe { if
              (expression) { … } }.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read / data->ret < 0 / { @[comm, data->ret] = count(); }
              """),
          new Topic(
              STATEMENT,
              List.of("if", "else"),
              List.of("if (expression) statement", "if (expression) statement else statement"),
              "",
              """
              An else belongs to the nearest if.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read { if (data->ret < 0) { @["failed"] = count(); } else { @["read"] = count(); } }
              """),
          new Topic(
              STATEMENT,
              List.of("map"),
              List.of("name[key, …] = expression;", "@name[key, …] = expression;"),
              "",
              """
              A map keeps one value for each combination of keys, shared by all probes; it reads
              as zeroes where nothing was stored. Its types are those of what is stored in it.
              What maps hold is printed when the trace ends, rows sorted by value.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_wakeup { last[data->pid] = data->target_cpu; }
              """),
          new Topic(
              STATEMENT,
              List.of("delete"),
              List.of("delete map[key, …];"),
              "",
              """
              Removes what a map holds under these keys; nothing happens where there is nothing.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_fork { born[data->child_pid] = time; }
              tracepoint:sched:sched_process_exit { delete born[kpid]; }
              """),
          new Topic(
              STATEMENT,
              List.of("return"),
              List.of("return;"),
              "",
              """
              Ends this clause for this event; other clauses on the same probe still run.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { if (uid == 0) { return; } @[comm] = count(); }
              """));

  private StatementTopics() {}
}
