package dev.ply.examples.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program in the languages of all tracers. {@code PID} is replaced by the workload's PID.
 *
 * @param ours for this tracer
 * @param ply for the original, which cannot express all
 */
record Program(String title, String ours, String bpftrace, Optional<String> ply) {
  private static final String ENTER = "tracepoint:syscalls:sys_enter_read";
  private static final String EXIT = "tracepoint:syscalls:sys_exit_read";
  private static final String DIFFERS = "if (str(args->buf, 16) == \"nothing\") { @ = count(); }";
  private static final String TOP_FIVE = " END { print(@, 5); clear(@); }";
  private static final String LINE = "BEGIN { printf(\"\\n\"); }";
  private static final String HIT = " / pid == PID / { ";

  /** Returns the program for a tracer and a process, if the tracer can say it. */
  Optional<String> text(Tool.Kind kind, long pid) {
    Optional<String> text =
        switch (kind) {
          case OURS -> Optional.of(ours);
          case BPFTRACE -> Optional.of(bpftrace);
          case PLY -> ply;
        };
    return text.map(program -> program.replace("PID", Long.toString(pid)));
  }

  private static Program same(String title, String where, String body) {
    String text = where + " / pid == PID / { " + body + " }";
    return new Program(title, text, text, Optional.of(slashed(text)));
  }

  /** The original has a slash between the parts of a tracepoint's name. */
  private static String slashed(String text) {
    return text.replace(":syscalls:", ":syscalls/").replace("args->", "data->");
  }

  private static Program of(String title, String ours, String bpftrace) {
    return new Program(title, ours, bpftrace, Optional.of(slashed(ours)));
  }

  /** What costs are measured of; all look at one process only. */
  static Program[] onReads() {
    return new Program[] {
      COUNT,
      same("count by pid", ENTER, "@[pid] = count();"),
      of(
          "count by thread",
          ENTER + HIT + "@[kpid] = count(); }",
          ENTER + HIT + "@[tid] = count(); }"),
      COUNT_BY_COMM,
      same("count by pid, comm", ENTER, "@[pid, comm] = count();"),
      HISTOGRAM,
      of(
          "filter by comm that misses",
          ENTER + " / pid == PID && !strcmp(comm, \"nobody\") / { @[pid] = count(); }",
          ENTER + " / pid == PID && comm == \"nobody\" / { @[pid] = count(); }"),
      of(
          "sum of an argument",
          ENTER + HIT + "@[pid] = sum(data->count); }",
          ENTER + HIT + "@[pid] = sum(args->count); }"),
      LATENCY,
      of(
          "count by kernel stack",
          ENTER + HIT + "@[stack] = count(); }",
          ENTER + HIT + "@[kstack] = count(); }"),
      PRINTF,
      same("uprobe, count", "uprobe:" + libraryOfC() + ":read", "@[pid] = count();").notForPly(),
      new Program(
          "kprobe, count",
          "kprobe:vfs_read" + HIT + "@[pid] = count(); }",
          "kprobe:vfs_read" + HIT + "@[pid] = count(); }",
          Optional.of("kprobe:vfs_read" + HIT + "@[pid] = count(); }")),
      new Program(
          "kretprobe, histogram",
          "kretprobe:vfs_read" + HIT + "@[comm] = quantize(retval); }",
          "kretprobe:vfs_read" + HIT + "@[comm] = hist(retval); }",
          Optional.of("kretprobe:vfs_read" + HIT + "@[comm] = quantize(retval); }")),
    };
  }

  /** What costs are measured of that the original's language cannot say. */
  static Program[] onReadsInNewForms() {
    String sum = "$t = (uint64)0; $i = 0; while ($i < 10) { $t += $i; $i++; } @ = sum($t);";
    return Stream.of(
            same("linear histogram", ENTER, "@[pid] = lhist(args->count, 0, 100, 10);"),
            same("stats", ENTER, "@[pid] = stats(args->count);"),
            same("loop of ten rounds", ENTER, sum),
            same("string that differs", ENTER, DIFFERS),
            same("count by tuple", ENTER, "@[(pid, comm)] = count();"),
            same("top 5 kernel stacks", ENTER, "@[kstack] = count();").endingWith(TOP_FIVE))
        .map(Program::notForPly)
        .toArray(Program[]::new);
  }

  private Program endingWith(String clause) {
    return new Program(title, ours + clause, bpftrace + clause, ply);
  }

  /** Of what it is measured, too, what calls cost that they do not probe. */
  static Program[] besideOthers() {
    return new Program[] {COUNT, HISTOGRAM, LATENCY};
  }

  /** Of what the cost is measured where only a share of all system calls is traced. */
  static Program[] onShares() {
    return new Program[] {COUNT, COUNT_BY_COMM, HISTOGRAM, LATENCY, FIVE_CALLS};
  }

  /** The same of a function of the kernel, with its arguments and its result. */
  static Program[] onFunctions() {
    return Stream.concat(
            Stream.of(onReads())
                .filter(program -> program.ours.contains("syscalls"))
                .map(Program::ofFunction),
            Stream.of(
                same("filter by pid that misses", "kprobe:vfs_read", "@[pid] = count();")
                    .missing()))
        .toArray(Program[]::new);
  }

  private Program ofFunction() {
    return new Program(title, ofFunction(ours), ofFunction(bpftrace), ply.map(Program::ofFunction));
  }

  private static String ofFunction(String text) {
    return text.replace(":syscalls/", ":syscalls:")
        .replace(ENTER, "kprobe:vfs_read")
        .replace(EXIT, "kretprobe:vfs_read")
        .replaceAll("(data|args)->count", "arg2")
        .replaceAll("(data|args)->ret", "retval");
  }

  private Program missing() {
    return new Program(
        title,
        ours.replace("PID", "1"),
        bpftrace.replace("PID", "1"),
        ply.map(text -> text.replace("PID", "1")));
  }

  /** One function, functions by the dozen, and by the thousand. */
  static Program[] onManyFunctions() {
    return Stream.of("vfs_read", "vfs_*", "pc*", "__x64_sys_* tcp_* sock_*")
        .map(Program::onEachOf)
        .toArray(Program[]::new);
  }

  /** The original takes one pattern a clause, and only if all functions it means can be probed. */
  private static Program onEachOf(String patterns) {
    List<String> points = Stream.of(patterns.split(" ")).map("kprobe:"::concat).toList();
    String body = " { @[pid] = count(); }";
    String text = String.join(", ", points) + body;
    return new Program(
        "kprobe:" + patterns, text, text, Optional.of(String.join(body + "\n", points) + body));
  }

  private Program notForPly() {
    return new Program(title, ours, bpftrace, Optional.empty());
  }

  /** The C library of this machine, as it is found from within another root directory, too. */
  private static String libraryOfC() {
    String outside = "/proc/" + ProcessHandle.current().pid() + "/root";
    try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
      return outside
          + mapped
              .filter(line -> line.matches(".*/libc[.-][^/]*so[^/]*"))
              .map(line -> line.substring(line.indexOf('/')))
              .findFirst()
              .orElse("/lib/libc.so.6");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As many keys as there are calls. */
  static final Program KEYS =
      new Program(
          "keys",
          ENTER + " / pid == PID / { @[time] = count(); }",
          ENTER + " / pid == PID / { @[nsecs] = count(); }",
          Optional.empty());

  /** Hundreds of attach points, for a second. */
  static final Program EVERY_CALL =
      new Program(
          "sys_enter_* for a second",
          "tracepoint:syscalls:sys_enter_* / pid == PID / { @[probe] = count(); }"
              + " interval:1s { exit(0); }",
          "tracepoint:syscalls:sys_enter_* / pid == PID / { @[probe] = count(); }"
              + " interval:s:1 { exit(); }",
          Optional.empty());

  /** A few system calls, of which workloads make one. */
  private static final Program FIVE_CALLS =
      of(
              "five calls, count",
              onCalls("read", "openat", "close", "lseek", "pread64"),
              onCalls("read", "openat", "close", "lseek", "pread64"))
          .notForPly();

  private static String onCalls(String... calls) {
    return Stream.of(calls)
            .map("tracepoint:syscalls:sys_enter_"::concat)
            .collect(Collectors.joining(", "))
        + HIT
        + "@ = count(); }";
  }

  /** All system calls. */
  static final Program ALL_CALLS =
      of(
              "all calls, count by number",
              "tracepoint:raw_syscalls:sys_enter" + HIT + "@[data->id] = count(); }",
              "tracepoint:raw_syscalls:sys_enter" + HIT + "@[args->id] = count(); }")
          .notForPly();

  /** No keys. */
  static final Program COUNT =
      new Program(
          "count",
          ENTER + " / pid == PID / { @ = count(); }",
          ENTER + " / pid == PID / { @ = count(); }",
          Optional.empty());

  /** The usual one-liner. */
  static final Program COUNT_BY_COMM = same("count by comm", ENTER, "@[comm] = count();");

  /** At the other end of a call. */
  private static final Program HISTOGRAM =
      of(
          "histogram of result by comm",
          EXIT + HIT + "@[comm] = quantize(data->ret); }",
          EXIT + HIT + "@[comm] = hist(args->ret); }");

  /** At both ends. */
  private static final Program LATENCY =
      of(
          "latency",
          ENTER
              + HIT
              + "t[kpid] = time; } "
              + EXIT
              + " / pid == PID && t[kpid] / { @[pid] = quantize(time - t[kpid]); delete t[kpid]; }",
          ENTER
              + HIT
              + "@t[tid] = nsecs; } "
              + EXIT
              + " / pid == PID && @t[tid] / { @[pid] = hist(nsecs - @t[tid]); delete(@t[tid]); }");

  /** Three fields of each event. */
  static final Program PRINTF =
      of(
          "printf of three fields",
          ENTER + " / pid == PID / { printf(\"%d %s %d\\n\", pid, comm, cpu); }",
          ENTER + " / pid == PID / { printf(\"%d %s %d\\n\", pid, comm, cpu); }");

  /** What costs only its start. */
  static final Program NOTHING =
      new Program(
          "BEGIN { exit(0); }",
          "BEGIN { exit(0); }",
          "BEGIN { exit(); }",
          Optional.of("BEGIN { exit(0); }"));

  /** What runs for as long as another command; of the original's, a kernel refuses empty ones. */
  static final Program UNTIL_THE_END = new Program("BEGIN", LINE, LINE, Optional.of(LINE));

  /** A one-liner to compile. */
  static final Program ONE_LINER =
      of(
          "dry run of a one-liner",
          ENTER + " { @[comm] = count(); }",
          ENTER + " { @[comm] = count(); }");
}
