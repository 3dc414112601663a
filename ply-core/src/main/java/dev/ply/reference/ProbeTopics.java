package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.PROBE;

import com.google.common.collect.ImmutableList;
import dev.ply.target.KernelVersion;
import java.util.List;

/** Where a script can look. */
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
              List.of("kretprobe:function", "kretprobe:module:function", "kretprobe:glob"),
              "when a kernel function returns",
              """
              Has retval and regs; the arguments are gone by then.
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
              Has args and arg0, arg1, … with their types, of functions of the kernel itself whose
              types it describes (BTF). Members are read through any number of pointers, what
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
              List.of("tracepoint"),
              List.of(
                  "tracepoint:category:event", "tracepoint:category/event", "tracepoint:glob:glob"),
              "when the kernel reaches a place marked for tracing",
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
