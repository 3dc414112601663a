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
              "at the entry of a kernel function, or at an instruction",
              """
              Offers arg0, arg1, …, regs and caller. An offset is in bytes, at the start of an
              instruction. A glob (? * [a-z] [!a-z] @(a|b)) selects all matching functions that can
              be probed; others are skipped and counted. Several functions of one name are all probed. A
              module may precede the function.
              SyS_read and sys_read, functions of kernels before 4.17, are the system call where there
              is no such function; caller and func are the name, then. A function that a kernel has under
              another name, kmem_cache_alloc_noprof or finish_task_switch.isra.0, is probed there, with
              a note; what such a clone is passed and returns is unknown, and asking for it an error.
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
              how many concurrent calls are tracked. The kernel's default can be as low as two per
              CPU, too few for functions that sleep. Untracked returns are counted as missed.
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
              Offers args, and arg0, arg1, … with their types, for functions described by BTF. A
              module's are written fentry:module:function (Linux 5.11); the module cannot be
              unloaded meanwhile. Members are read through any number of pointers; unreadable memory
              is zero. Costs less than a kprobe.
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
              Offers arg0, arg1, … and regs; addresses are in user space. Where the file, or its
              debug file, has debug information (DWARF 2 to 5), args has the same by name and type:
              args->path. Floating-point numbers, structures passed by value that have no registers, and
              what the compiler has optimised out cannot be read. Go's arguments are where its compiler
              says: strings are strings, args.name, and of slices, interfaces and structures the members
              are read, args.list.len. args alone is a record of all that can be read. The binary is a path,
              quoted if needed; a soname stem, such as c or pthread; a program in $PATH; a PID,
              which selects the files mapped by that process and its hits only; or a glob. A glob
              with a slash is one of paths, ./build/*/server*; one without is of the names of what
              the process of -p has mapped; without -p, of programs in $PATH, of libraries, and of
              what any process has mapped; * is all that is mapped. A file with several names is
              probed once, files that cannot be read are left out and counted. With -p, uprobe:function means the program of the process. Names with characters such
              as / + : or a space stand in quotes. A name with brackets that exists is no glob:
              "main.generic[int]". Several functions of one name, static ones, say, are all probed. Functions come from
              the symbol table, from the debug file of a stripped binary, and from its exports.
              Functions of libpthread, libdl and librt are looked for in libc, too, of which these
              are a part since glibc 2.34.
              Addresses are as in the ELF file. Offsets and addresses are checked: code is decoded
              from the function's start, and a place inside an instruction, in data or in padding is
              refused; code that no symbol covers is probed with --unsafe alone. The 16-bit counter at an offset of the file, in
              parentheses, is raised while the probe is attached. After cpp:, in quotes, stands the name of a C++
              function or a glob of names, with the types of its parameters or without: all such
              functions are probed, without them also functions of C linkage, and functions of Rust by
              their names. On x86-64, the probe of a function can be a few
              instructions after its entry, where all calls pass as well and a hit costs a fraction;
              clauses with regs or ustack keep it at the entry.
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
              Offers retval and regs; arguments are no longer available. Calls in flight when the
              trace starts are not seen to return. Functions of Go are refused without --unsafe: Go moves
              stacks, and the return address that the kernel puts there would crash the program.
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
              as for uprobe; with a PID, all files mapped by the process are searched, and with none
              those of the process of -p. Provider and name can be globs or stand in quotes. The
              probe's semaphore is incremented, for programs that prepare
              arguments only while traced.
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
              args, the same by name and type, where BTF describes them. Costs less than a
              tracepoint, and some events exist only in this form. The event is named without its
              category; the module of the kernel itself is vmlinux. Its arguments can change between
              kernel versions.
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
              Samples what runs: stacks, threads. Idle CPUs are sampled too.
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
              Watches 1, 2, 4 or 8 bytes at an address, a multiple of the length, or at a variable
              of the kernel, by a breakpoint of the processor on every CPU; each has four or so.
              Accesses are r, w and rw, of which x86 has no r, or x: the instruction is executed. An
              address in user space is that of every process; with -p only that one is reported.
              Variables need a kernel with CONFIG_KALLSYMS_ALL. A warning says where breakpoints do
              not fire, as in emulators.
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
              Runs when everything is attached; a trace of nothing else ends with it. ctx, also
              called args, has the object: task in iter:task, iter:task_file, where fd and file are
              the rest, and iter:task_vma, whose vma it has. ply -l 'iter:*' lists what a kernel can
              iterate over, with -lv what each offers. pid and comm are ply's own.
              """,
              OLDEST,
              """
              iter:task { @[args->task->comm] = count(); }
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
              Runs for every end of the trace, unless ply is killed.
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
              In ply itself, as BEGIN is. In a Java program, by Session.run("self:signal:SIGUSR1").
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
              Fails by assert, errorf or exit with a status other than 0; what it prints is shown if
              it fails. Runs after BEGIN, in script order, with everything attached; without --test
              it does not run. In a Java program, by Session.run("test:name").
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
              Runs until a millisecond is full; the table that follows shows how many nanoseconds a
              run took, and of how many. What it prints is dropped; without --bench it does not run. In
              a Java program, by Session.measure("bench:name", 1000).
              """,
              OLDEST,
              """
              bench:count { @ = count(); }
              """));

  private ProbeTopics() {}
}
