package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.VALUE;

import com.google.common.collect.ImmutableList;
import dev.ply.target.KernelVersion;
import java.util.List;

/** What a probe knows when it fires. */
final class ValueTopics {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  static final ImmutableList<Topic> ALL =
      ImmutableList.of(
          new Topic(
              VALUE,
              List.of("pid"),
              List.of("pid"),
              "u32",
              """
              The process id, in the first PID namespace.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { @[pid] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("kpid", "tid"),
              List.of("kpid"),
              "u32",
              """
              The thread id, which the kernel calls pid.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { @[pid, kpid] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("comm", "execname"),
              List.of("comm"),
              "text of at most 15 bytes",
              """
              The name of the thread: of a program started from a shell, the start of its file
              name.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("uid"),
              List.of("uid"),
              "u32",
              """
              The real user id, in the first user namespace.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_exec { @[uid] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("gid"),
              List.of("gid"),
              "u32",
              """
              The real group id, in the first user namespace.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_exec { @[gid] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("cpu"),
              List.of("cpu"),
              "u32",
              """
              The number of the CPU that runs the probe, from 0.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_switch { @[cpu] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("time"),
              List.of("time"),
              "s64, ns",
              """
              The time since boot without time asleep (CLOCK_MONOTONIC), printed as a duration
              with three digits and a unit. What time - time gives is printed the same way.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { begin[kpid] = time; }
              tracepoint:raw_syscalls:sys_exit / begin[kpid] / { @[comm] = quantize(time - begin[kpid]); delete begin[kpid]; }
              """),
          new Topic(
              VALUE,
              List.of("walltime"),
              List.of("walltime"),
              "s64, ns",
              """
              The same clock as time, printed as the time of day where ply runs: HH:MM:SS and nine
              digits.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_exec { print(walltime, comm); }
              """),
          new Topic(
              VALUE,
              List.of("nsecs"),
              List.of("nsecs"),
              "u64, ns",
              """
              The time since boot with time asleep (CLOCK_BOOTTIME), a plain number.
              """,
              OLDEST,
              """
              interval:1s { print(nsecs); }
              """),
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
              List.of("retval"),
              List.of("retval"),
              "signed machine word",
              """
              What the probed function returns. In a kretprobe.
              """,
              OLDEST,
              """
              kretprobe:vfs_read / retval < 0 / { @[retval] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("caller"),
              List.of("caller"),
              "address, printed as function+offset",
              """
              The address in the program counter. In a kprobe; on x86-64 that is one byte behind
              the probed one.
              """,
              OLDEST,
              """
              kprobe:vfs_read { @[caller] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("regs"),
              List.of("regs->name", "*regs"),
              "pointer to struct pt_regs",
              """
              The registers of the probed function; their names are the platform's: on x86-64 rdi,
              rsi, rsp, rip, …. In a kprobe or kretprobe.
              """,
              OLDEST,
              """
              kprobe:vfs_read { print(regs->rdi); }
              """),
          new Topic(
              VALUE,
              List.of("data", "args"),
              List.of("data->field", "data.field", "*data"),
              "pointer to the record, or to the arguments",
              """
              The record of a tracepoint with its fields, as
              /sys/kernel/tracing/events/CATEGORY/EVENT/format lists them; in a fentry and a fexit
              the arguments of the function, by their names, and in a rawtracepoint what the kernel
              hands over. In a tracepoint, rawtracepoint, fentry and fexit.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_switch { @[data->prev_comm, data->next_comm] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("stack", "kstack"),
              List.of("stack", "stack(depth)", "stack(mode, depth)"),
              "kernel stack of at most 32 frames",
              """
              Where the kernel is, one function a line, the innermost first. A thread that is not in the
              kernel has none, nor have tracepoints of system calls on older kernels, 6.1 among
              them. The depth is 1 to 127. Modes are ply, which prints function and offset, perf,
              which prints the address before them, raw, the address alone, and bpftrace, which has
              spaces for the tab.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_switch { @[stack] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("ustack"),
              List.of("ustack", "ustack(depth)", "ustack(mode, depth)"),
              "user stack of at most 127 frames",
              """
              Where the process is, one function a line, the innermost first. Programs and libraries
              are named by their symbols, code of a Java runtime by /tmp/perf-PID.map, which ply asks
              the runtime for where it is missing (JDK 17). Frames are found by frame pointers: Java
              needs -XX:+PreserveFramePointer, or its callers are missing or wrong. Of a process that
              has ended, what it had in memory when its first stack was seen is known. Depth and mode
              are those of stack; perf names the file as well.
              """,
              OLDEST,
              """
              profile:99hz { @[comm, ustack] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("ctx"),
              List.of("ctx"),
              "address",
              """
              The address of what the kernel hands to the probe's program.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_switch { print(ctx); }
              """),
          new Topic(
              VALUE,
              List.of("probe"),
              List.of("probe"),
              "place, printed as its definition",
              """
              Which probe fired: the definition of the single place, where a pattern or a list
              means many.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_enter_* { @[probe] = count(); }
              """),
          new Topic(
              VALUE,
              List.of("$NAME"),
              List.of("$NAME"),
              "number or text",
              """
              The environment variable NAME when ply starts: a number if it reads as one, else
              text; empty where it is not set. $target is the process that -c starts.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter / pid == $target / { @ = count(); }
              """));

  private ValueTopics() {}
}
