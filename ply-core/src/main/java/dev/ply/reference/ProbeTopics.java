package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.PROBE;

import com.google.common.collect.ImmutableList;
import dev.ply.target.KernelVersion;
import java.util.List;

/** Topics about probes. */
final class ProbeTopics {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  static final ImmutableList<Topic> ALL =
      ImmutableList.of(
          new Topic(
              PROBE,
              List.of("kprobe"),
              List.of(
                  "kprobe:function",
                  "kprobe:module:function",
                  "kprobe:function+offset",
                  "kprobe:0xaddress",
                  "kprobe:glob"),
              "when a kernel function is entered, or an instruction in it is reached",
              """
              Has arg0, arg1, …, regs and caller. An offset is in bytes and must be where an
              instruction starts. A glob (? * [a-z] [!a-z] @(a|b)) stands for all functions that
              can be probed; what cannot is left out and counted. The place of a function may be
              given with its module.
              """,
              OLDEST,
              """
              kprobe:vfs_read { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("kretprobe"),
              List.of(
                  "kretprobe:function",
                  "kretprobe:module:function",
                  "kretprobe:glob",
                  "kretprobe:function:N"),
              "when a kernel function returns",
              """
              Has retval and regs; the arguments are gone by then. With N, up to that many calls at
              once are all seen to return, 1 to 4096; without, as many as the kernel thinks right:
              that may be two for each CPU, too few for functions that sleep. What is not seen is
              counted as missed.
              """,
              OLDEST,
              """
              kretprobe:vfs_read { @[comm] = quantize(retval); }
              """),
          new Topic(
              PROBE,
              List.of("fentry", "kfunc"),
              List.of("fentry:function", "fentry:glob"),
              "when a kernel function is entered, with its arguments by name",
              """
              Has args and arg0, arg1, … with their types, of functions whose types the kernel
              describes (BTF); a module's are written fentry:module:function, since Linux 5.11, and
              it cannot be unloaded meanwhile. Members are read through any number of pointers, what
              cannot be read as zero. Costs less than a kprobe.
              """,
              OLDEST,
              """
              fentry:vfs_read { @[args->file->f_inode->i_ino] = sum(args->count); }
              """),
          new Topic(
              PROBE,
              List.of("fexit", "kretfunc"),
              List.of("fexit:function", "fexit:glob"),
              "when a kernel function returns, with its arguments and result",
              """
              Has retval, and all that fentry has: the arguments are those that the function was
              called with.
              """,
              OLDEST,
              """
              fexit:vfs_read / retval < args->count / { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("uprobe"),
              List.of(
                  "uprobe:binary:function",
                  "uprobe:binary:function+offset",
                  "uprobe:binary:0xaddress",
                  "uprobe:binary:glob"),
              "when a function of a program or library is entered, or an instruction in it is reached",
              """
              Has arg0, arg1, …, and regs; addresses are taken for user space's. The binary is a path,
              in quotes if need be; a library's short name, as in c or pthread; a program in $PATH; or
              the number of a process, which stands for the files it has mapped, and for its hits
              alone. Functions are those of the symbol table, of the debug file that belongs to a
              stripped binary, and those it exports. Addresses are the file's own. On x86-64 the probe
              of a function may stand some instructions behind its start, where each call comes by
              as well and a hit takes a fraction of the time; clauses with regs or ustack have it at
              the start.
              """,
              OLDEST,
              """
              uprobe:c:puts { @[comm, str(arg0)] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("uretprobe"),
              List.of("uretprobe:binary:function", "uretprobe:binary:glob"),
              "when a function of a program or library returns",
              """
              Has retval and regs; the arguments are gone by then. What a process had entered before
              the trace began is not seen to return.
              """,
              OLDEST,
              """
              uretprobe:c:malloc / retval == 0 / { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("usdt"),
              List.of("usdt:binary:provider:name", "usdt:binary:name"),
              "when a program reaches a USDT probe",
              """
              Has arg0, arg1, …, as many as the mark says (readelf -n shows it), and regs. The binary
              is one as for uprobe; with the number of a process, all files that it has mapped are
              searched. Provider and name may be globs. A program that only prepares arguments while
              it is traced is told to.
              """,
              OLDEST,
              """
              usdt:/usr/lib/jvm/default-java/lib/server/libjvm.so:hotspot:gc__begin { @[pid, arg0] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("tracepoint"),
              List.of(
                  "tracepoint:category:event", "tracepoint:category/event", "tracepoint:glob:glob"),
              "when the kernel reaches the tracepoint",
              """
              Has data, the record of the event. A glob stands for all events that match; a field
              may be used if all of them have it.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { @[comm, data->id] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("rawtracepoint", "rt"),
              List.of("rawtracepoint:event"),
              "when the kernel reaches the tracepoint; without a record",
              """
              Has arg0, arg1, …: what the kernel hands over there, as 64-bit numbers; and args, the
              same by name and with its types, where the kernel describes these (BTF). It costs less
              than a tracepoint, and there are places that have no other. The event is named without
              its category. How many arguments there are, and what they mean, is the kernel's own
              affair and may change with its version.
              """,
              OLDEST,
              """
              rawtracepoint:sys_exit / arg1 > 4096 / { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("profile"),
              List.of("profile:Nhz", "profile:cpu:Nhz", "profile:hz:N"),
              "N times a second on each CPU, or on one",
              """
              Samples what runs: the stack, the thread. Idle CPUs are sampled too.
              """,
              OLDEST,
              """
              profile:99hz { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("interval"),
              List.of("interval:N", "interval:Nms", "interval:ms:N"),
              "each time a period has passed, on one CPU",
              """
              Units are m (minutes), s, ms, us and ns; without one the period is in seconds.
              """,
              OLDEST,
              """
              interval:100ms { print(time); }
              """),
          new Topic(
              PROBE,
              List.of("software"),
              List.of("software:event:N", "software:event"),
              "each time the kernel has counted N of something on a CPU",
              """
              Events, with other names and the usual N: alignment-faults (1), bpf-output (1),
              context-switches or cs (1000), cpu-clock or cpu (1000000, in ns), cpu-migrations (1),
              dummy (1), emulation-faults (1), major-faults (1), minor-faults (100), page-faults or
              faults (100), task-clock (1000000, in ns).
              """,
              OLDEST,
              """
              software:page-faults:100 { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("hardware"),
              List.of("hardware:event:N", "hardware:event"),
              "each time a CPU has counted N events",
              """
              Events, with other names and the usual N: backend-stalls (1000000),
              branch-instructions or branches (100000), branch-misses (100000), bus-cycles (100000),
              cache-misses (1000000), cache-references (1000000), cpu-cycles or cycles (1000000),
              frontend-stalls (1000000), instructions (1000000), ref-cycles (1000000). Virtual
              machines often have no such counters.
              """,
              OLDEST,
              """
              hardware:cache-misses:1000000 { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("BEGIN"),
              List.of("BEGIN"),
              "once, before any other probe",
              """
              Several run in the order of the script. What runs it is ply itself: pid and comm are
              ply's.
              """,
              OLDEST,
              """
              BEGIN { printf("tracing, Ctrl-C ends it\\n"); }
              """),
          new Topic(
              PROBE,
              List.of("END"),
              List.of("END"),
              "once, after all other probes, before maps are printed",
              """
              Runs however the trace ends, but not when ply is killed.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_switch { n["switches"] = n["switches"] + 1; }
              END { print(n["switches"]); }
              """));

  private ProbeTopics() {}
}
