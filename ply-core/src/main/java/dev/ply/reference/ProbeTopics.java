package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.PROBE;

import com.google.common.collect.ImmutableList;
import dev.ply.machine.KernelVersion;
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
              "at the entry of a kernel function, or at an instruction",
              """
              Offers arg0, arg1, …, regs and caller.

              - An offset is in bytes, at the start of an instruction.
              - A module may precede the function. If several functions have the name, all are
              probed.
              - A glob (? * [a-z] [!a-z] @(a|b)) selects all matching functions that can be probed;
              others are skipped and counted.
              - SyS_read and sys_read, names from kernels before 4.17, select the system call if the
              kernel has no such function. caller and func then show that name.
              - A function that this kernel has under another name (kmem_cache_alloc_noprof,
              finish_task_switch.isra.0) is probed there, with a note. Arguments and results of such
              clones are unknown; using them is an error.
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
              "at the return from a kernel function",
              """
              Offers retval and regs; arguments are no longer available. N is maxactive, 1 to 4096:
              the number of concurrent calls that are tracked. The kernel's default can be as low as
              two per CPU, too few for functions that sleep. Untracked returns are counted as
              missed.
              """,
              OLDEST,
              """
              kretprobe:vfs_read { @[comm] = quantize(retval); }
              """),
          new Topic(
              PROBE,
              List.of("fentry", "kfunc"),
              List.of("fentry:function", "fentry:glob"),
              "at the entry of a kernel function, with typed arguments",
              """
              Offers args, and arg0, arg1, … with their types, for functions described by BTF.
              fentry:module:function selects a function of a module (Linux 5.11), which cannot be
              unloaded meanwhile. Members are read through any number of pointers; unreadable memory
              reads as zero. Costs less than a kprobe.
              """,
              OLDEST,
              """
              fentry:vfs_read { @[args->file->f_inode->i_ino] = sum(args->count); }
              """),
          new Topic(
              PROBE,
              List.of("fexit", "kretfunc"),
              List.of("fexit:function", "fexit:glob"),
              "at the return from a kernel function, with typed arguments and result",
              """
              Offers retval and everything that fentry does; arguments have their values at entry.
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
                  "uprobe:binary:0xaddress(0xcounter)",
                  "uprobe:binary:glob",
                  "uprobe:glob:function",
                  "uprobe:binary:\"function\"",
                  "uprobe:binary:cpp:\"Class::function\""),
              "at the entry of a function of a program or library, or at an instruction",
              """
              Offers arg0, arg1, … and regs; addresses are in user space. With debug information
              (DWARF 2 to 5) in the file or its debug file, args has the arguments by name and type,
              args->path; args alone is a record of all of them.

              Not readable are floating-point numbers, structures passed by value in memory, and
              what the compiler has optimised out. Go strings are strings, args.name; slices,
              interfaces and structures are read by member, args.list.len.

              The binary is one of:

              - a path, in quotes if it has characters such as / + : or a space
              - a soname stem, such as c or pthread
              - a program in $PATH
              - a PID: the files that the process has mapped, and hits in it only
              - a glob of paths, with a slash: ./build/*/server*
              - a glob of names, without one: with -p, of what the process has mapped; else of
              programs in $PATH, libraries, and what any process has mapped; * is everything mapped

              With -p, uprobe:function is the program of the process. A file with several names is
              probed once; unreadable files are skipped and counted.

              The function is one of:

              - a name in the symbol table, in the debug file of a stripped binary, or in the
              exports. If several functions have the name, all are probed, static ones too.
              Functions of libpthread, libdl and librt are also found in libc, which contains them
              since glibc 2.34.
              - a name in quotes, "main.generic[int]", which is no glob if a function has it
              - cpp:"name": a C++ or Rust function by its decoded name or a glob. With parameter
              types, that overload; without, all of them, and functions with C linkage.
              - an offset or an address, as in the ELF file. One inside an instruction, in data or
              in padding is refused; code without a symbol requires --unsafe.

              An offset in parentheses is that of a 16-bit counter in the file, which is incremented
              while the probe is attached. On x86-64 a probe on a function may be a few instructions
              after its entry, where a hit costs less and all calls pass as well; clauses that use
              regs or ustack keep it at the entry.
              """,
              OLDEST,
              """
              uprobe:c:puts { @[comm, str(arg0)] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("uretprobe"),
              List.of("uretprobe:binary:function", "uretprobe:binary:glob"),
              "at the return from a function of a program or library",
              """
              Offers retval and regs; arguments are no longer available. Returns of calls that were
              in flight when the trace started are not seen. Go functions are refused without
              --unsafe: Go moves stacks, and the return address that the kernel puts there would
              crash the program.
              """,
              OLDEST,
              """
              uretprobe:c:malloc / retval == 0 / { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("usdt"),
              List.of(
                  "usdt:binary:provider:name",
                  "usdt:binary:name",
                  "usdt:glob:provider:name",
                  "usdt::provider:name"),
              "at a USDT probe of a program or library",
              """
              Offers arg0, arg1, … as its note describes them (readelf -n), and regs. The binary is
              as for uprobe; a PID selects all files that the process has mapped, and an empty
              binary those of the process of -p. Provider and name can be globs or in quotes. The
              probe's semaphore is incremented, for programs that prepare arguments only while
              traced.
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
              "at a tracepoint of the kernel",
              """
              Offers data, the event's record. A glob selects all matching events; a field can be
              used if all of them have it.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { @[comm, data->id] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("rawtracepoint", "rt"),
              List.of("rawtracepoint:event", "rawtracepoint:module:event", "rawtracepoint:glob"),
              "at a tracepoint of the kernel, without its record",
              """
              Offers arg0, arg1, …: the arguments of the kernel's trace call as 64-bit numbers; and
              args, the same by name and type, if BTF describes them. Costs less than a tracepoint,
              and some events exist only in this form. The event has no category; the module of the
              kernel itself is vmlinux. Arguments can change between kernel versions.
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
              Samples the running thread, its stack for example. Idle CPUs are sampled too.
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
              "each time the kernel has counted N events on a CPU",
              """
              Events, with aliases and default N: alignment-faults (1), bpf-output (1),
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
              Events, with aliases and default N: backend-stalls (1000000), branch-instructions or
              branches (100000), branch-misses (100000), bus-cycles (100000), cache-misses
              (1000000), cache-references (1000000), cpu-cycles or cycles (1000000), frontend-stalls
              (1000000), instructions (1000000), ref-cycles (1000000). Virtual machines often have
              no such counters.
              """,
              OLDEST,
              """
              hardware:cache-misses:1000000 { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("watchpoint", "asyncwatchpoint"),
              List.of("watchpoint:0xaddress:length:access", "watchpoint:symbol:length:access"),
              "each time memory is accessed",
              """
              Watches 1, 2, 4 or 8 bytes at an address that is a multiple of the length, or at a
              kernel variable, with a hardware breakpoint on every CPU. CPUs have about four of
              them.

              - Accesses are r, w, rw, and x for execution. x86 has no r.
              - An address in user space applies to every process; with -p, only that process is
              reported.
              - Variables require a kernel with CONFIG_KALLSYMS_ALL.
              - A warning reports machines whose breakpoints do not fire, such as emulators.
              """,
              OLDEST,
              """
              watchpoint:0x10000000:8:w { @[comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("iter", "it"),
              List.of("iter:objects"),
              "for each of the kernel's objects of a kind, once",
              """
              Runs when everything is attached; a trace without other probes then stops. ctx, also
              called args, has the object: task in iter:task; task, fd and file in iter:task_file;
              task and vma in iter:task_vma. ply -l 'iter:*' lists what a kernel can iterate over,
              -lv its members. pid and comm are ply's own.
              """,
              OLDEST,
              """
              iter:task { @[args->task->comm] = count(); }
              """),
          new Topic(
              PROBE,
              List.of("offcpu"),
              List.of("offcpu", "offcpu:blocked", "offcpu:preempted"),
              "each time a thread runs again after it was off the CPU",
              """
              latency is how long it was off; ustack and stack are where it left the CPU; comm, pid,
              kpid and other values are those of the thread. entry(value) is a value when it left;
              cpu is the CPU that it continues on.

              - offcpu:blocked is for threads that wait, for a lock, input or a timer;
              offcpu:preempted for those that could run on, but others run.
              - Not counted are waits that began before the trace or that it ends in, and idle CPUs.
              - A condition on the thread, such as pid == 4711, is evaluated when it leaves the CPU,
              so that others cost little.
              - Up to 32,768 threads can be off the CPU at once; more are counted as lost.
              - Memory of the process cannot be read: it does not run yet.
              """,
              OLDEST,
              """
              offcpu / comm == "dd" / { @[ustack] = sum(latency); }
              """),
          new Topic(
              PROBE,
              List.of("BEGIN"),
              List.of("BEGIN"),
              "once, before any other probe",
              """
              Several run in script order, in ply itself: pid and comm are ply's.
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
              Runs however the trace stops, unless ply is killed.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_switch { n["switches"] = n["switches"] + 1; }
              END { print(n["switches"]); }
              """),
          new Topic(
              PROBE,
              List.of("self"),
              List.of("self:signal:SIGUSR1"),
              "each time ply receives SIGUSR1",
              """
              Runs in ply itself, as BEGIN does. In a Java program:
              Session.run("self:signal:SIGUSR1").
              """,
              OLDEST,
              """
              tracepoint:sched:sched_switch { @[comm] = count(); }
              self:signal:SIGUSR1 { print(@); }
              """),
          new Topic(
              PROBE,
              List.of("test"),
              List.of("test:name"),
              "a test of a script, run by ply bt --test",
              """
              Fails by assert, errorf or exit with a status other than 0; its output is shown if it
              fails. Tests run after BEGIN, in script order, with everything attached, and only with
              --test. In a Java program: Session.run("test:name").
              """,
              OLDEST,
              """
              test:quotient { print(pid); assert(7 / 2 == 3, "quotients are cut"); }
              """),
          new Topic(
              PROBE,
              List.of("bench"),
              List.of("bench:name"),
              "a benchmark of a script, run by ply bt --bench",
              """
              Runs repeatedly for a millisecond; a table then shows the number of runs and the
              nanoseconds of each. Its output is dropped. It runs only with --bench. In a Java
              program: Session.measure("bench:name", 1000).
              """,
              OLDEST,
              """
              bench:count { @ = count(); }
              """));

  private ProbeTopics() {}
}
