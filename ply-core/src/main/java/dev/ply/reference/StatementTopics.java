package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.STATEMENT;

import com.google.common.collect.ImmutableList;
import dev.ply.target.KernelVersion;
import java.util.List;

/** Topics about statements. */
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
              An else belongs to the nearest if. Before braces, the parentheses may be left out.
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
              List.of("variable", "let"),
              List.of("$name = expression;", "let $name;", "let $name = expression;"),
              "",
              """
              A variable keeps a value while the clause runs, from its first assignment or its
              declaration to the end of the block: a number of 64 bits, an address or a string.
              The first assignment decides its type.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read { $size = data->ret; if ($size > 0) { @[comm] = sum($size); } }
              """),
          new Topic(
              STATEMENT,
              List.of("++", "--", "+="),
              List.of("$name++;", "map[key]--;", "map[key] op= expression;"),
              "",
              """
              Changes a variable or a map's entry in place; an entry that is missing counts as 0.
              op is any of + - * / % & | ^ << >>. Additions to maps are exact on all CPUs. As
              values, x++ is the old one and ++x the new one.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_wakeup { @wakeups[data->pid]++; @total += 2; }
              """),
          new Topic(
              STATEMENT,
              List.of("while"),
              List.of("while (expression) statement"),
              "",
              """
              Runs the statement again as long as the expression is not zero. The kernel lets no
              program run for ever: a loop is stopped after 1024 iterations, which is counted and
              reported at the end.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_enter_write { $n = data->count; $bits = 0; while ($n > 0) { $n >>= 1; $bits++; } @[$bits] = count(); }
              """),
          new Topic(
              STATEMENT,
              List.of("for"),
              List.of("for ($name : from..to) statement"),
              "",
              """
              Runs the statement for each number from the first to before the second; after 1024
              rounds, the loop is stopped.
              """,
              OLDEST,
              """
              BEGIN { for ($i : 1..4) { printf("%d\\n", $i * $i); } }
              """),
          new Topic(
              STATEMENT,
              List.of("unroll"),
              List.of("unroll (number) statement"),
              "",
              """
              Runs the statement so many times, 1 to 100, without a loop.
              """,
              OLDEST,
              """
              BEGIN { $n = 1; unroll (10) { $n *= 2; } print($n); }
              """),
          new Topic(
              STATEMENT,
              List.of("break", "continue"),
              List.of("break;", "continue;"),
              "",
              """
              Leaves the innermost loop; starts its next round.
              """,
              OLDEST,
              """
              BEGIN { for ($i : 0..100) { if ($i == 2) { continue; } if ($i > 4) { break; } print($i); } }
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
