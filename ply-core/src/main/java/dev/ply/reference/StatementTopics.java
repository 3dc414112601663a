package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.STATEMENT;

import com.google.common.collect.ImmutableList;
import dev.ply.machine.KernelVersion;
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
              The block runs if the expression is not zero. The same as probe { if (expression) { …
              } }.
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
              An else belongs to the nearest if. The parentheses are optional before braces. As a
              value, $x = if ($y) { 1 } else { 2 }, it selects one of two blocks with values.
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
              A map holds one value for each combination of keys, shared by all probes; a missing
              key reads as zero. Its types are inferred from its uses. Maps are printed when the
              trace ends, rows sorted by value.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_wakeup { last[data->pid] = data->target_cpu; }
              """),
          new Topic(
              STATEMENT,
              List.of("delete"),
              List.of("delete map[key, …];", "delete(map, key);", "delete(map, (key, …));"),
              "",
              """
              Removes the entry of a key, if it exists. In an expression, delete(map, key) is 1 if it
              did, else 0.
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
              A scratch variable is local to a run of the clause, from its first assignment or
              declaration to the end of the block: a 64-bit number, an address or a string. The
              first assignment determines its type.
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
              Changes a variable or a map entry in place; a missing entry counts as 0. op is one of
              + - * / % & | ^ << >>. Additions to maps are atomic. As values, x++ is the old one and
              ++x the new one.
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
              Repeats the statement while the expression is not zero. The kernel requires programs
              to terminate: a loop is stopped after 1048576 iterations (1024 before Linux 5.17), and
              stopped loops are counted and reported. The setting max_loop_iterations changes that,
              up to 8388607; before Linux 5.17, up to what the kernel's verifier can follow.
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
              Runs the statement for each number from the first up to, but not including, the
              second. A loop is stopped as while is; one between constants, after 8388607
              iterations.
              """,
              OLDEST,
              """
              BEGIN { for ($i : 1..4) { printf("%d\\n", $i * $i); } }
              """),
          new Topic(
              STATEMENT,
              List.of("for map"),
              List.of("for ($name : map) statement"),
              "",
              """
              Runs the statement for each entry of a map, in no particular order. $name.0 is the
              key, a tuple if it has several parts, and $name.1 the value; for a count, sum,
              average, minimum or maximum, the number. Entries added meanwhile may be left out.
              """,
              new KernelVersion(5, 13, 0),
              """
              tracepoint:sched:sched_wakeup { @wakeups[data->pid] = count(); }
              interval:1s { for ($kv : @wakeups) { if ($kv.1 > 1) { print($kv.0, $kv.1); } } clear(@wakeups); }
              """),
          new Topic(
              STATEMENT,
              List.of("unroll"),
              List.of("unroll (number) statement"),
              "",
              """
              Repeats the statement 1 to 100 times, without a loop.
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
              break leaves the innermost loop, continue starts its next iteration.
              """,
              OLDEST,
              """
              BEGIN { for ($i : 0..100) { if ($i == 2) { continue; } if ($i > 4) { break; } print($i); } }
              """),
          new Topic(
              STATEMENT,
              List.of("macro"),
              List.of("macro name($variable, @map, expression) { … }"),
              "",
              """
              Statements that are expanded where the macro is called, between or after probes; a
              last expression without semicolon is its value, as in any block used as a value: { $x
              = 1; $x }.

              - A variable or a map is passed as itself and can be changed. Any other argument is
              evaluated at each use of the parameter, and can be a type, typeof(uint32).
              - Variables of a macro are not those of its caller; maps must be passed.
              - Macros of one name differ in the number or kind of their parameters. They cannot
              call themselves.
              """,
              OLDEST,
              """
              macro class(size) { size > 4096 ? "large" : "small" }
              tracepoint:syscalls:sys_exit_read { @[class(data->ret)] = count(); }
              """),
          new Topic(
              STATEMENT,
              List.of("fn"),
              List.of("fn name($parameter: type, …): type { … }"),
              "",
              """
              A function, between or after probes, with the types of its parameters and of its
              result, or void. Arguments are evaluated once; variables are local, maps are shared
              with the script. Calls are expanded, so that a function cannot call itself.
              """,
              OLDEST,
              """
              fn account($bytes: int64): void { if ($bytes > 0) { @[comm] = sum($bytes); } }
              tracepoint:syscalls:sys_exit_read { account(data->ret); }
              """),
          new Topic(
              STATEMENT,
              List.of("import"),
              List.of("import \"path\";"),
              "",
              """
              Imports another script, a header with types and #defines, or all of these in a
              directory. Imports stand at the head of a script; paths are relative to it. Probes of
              imported scripts come first. import "stdlib" has no effect: bpftrace's library is
              built in.
              """,
              OLDEST,
              """
              import "stdlib";
              tracepoint:sched:sched_switch { @[comm] = count(); }
              """),
          new Topic(
              STATEMENT,
              List.of("typeof"),
              List.of("(typeof(expression))value", "let $name: typeof(expression);"),
              "",
              """
              The type of an expression, which is not evaluated, where a type is expected: in casts,
              declarations, sizeof and offsetof. typeof(type) is the type itself.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read { @[(typeof(pid))data->ret] = count(); }
              """),
          new Topic(
              STATEMENT,
              List.of("return"),
              List.of("return;", "return expression;"),
              "",
              """
              Leaves the clause for this hit; other clauses of the same probe still run. The value,
              if any, is evaluated and ignored.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { if (uid == 0) { return; } @[comm] = count(); }
              """));

  private StatementTopics() {}
}
