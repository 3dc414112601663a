package dev.ply.kernel.feature;

import dev.ply.machine.KernelVersion;

/** A kernel feature for tracing: its minimum version and build option. */
public enum Feature {
  /** Probes on functions: kprobe and kretprobe. */
  KPROBES("probes of kernel functions", 4, 17, "CONFIG_KPROBE_EVENTS"),
  /** Probes on functions of programs: uprobe and uretprobe. */
  UPROBES("probes of programs", 4, 17, "CONFIG_UPROBE_EVENTS"),
  /** Tracepoints in tracefs. */
  TRACEPOINTS("tracepoints", 4, 7, "CONFIG_TRACEPOINTS"),
  /** Tracepoints of individual syscalls. */
  SYSCALL_TRACEPOINTS("tracepoints of system calls", 4, 7, "CONFIG_FTRACE_SYSCALLS"),
  /** Tracepoints without a record. */
  RAW_TRACEPOINTS("raw tracepoints", 4, 17, "CONFIG_BPF_EVENTS"),
  /** The kernel's types (BTF). */
  BTF("type information (BTF)", 5, 4, "CONFIG_DEBUG_INFO_BTF"),
  /** The BPF ring buffer, for events. */
  RING_BUFFER("the ring buffer", 5, 8, "CONFIG_BPF_SYSCALL"),
  /** Batched reads of per-CPU hash maps. */
  HASH_BATCHES("reading hash tables in batches", 5, 6, "CONFIG_BPF_SYSCALL"),
  /** Batched reads of per-CPU arrays. */
  ARRAY_BATCHES("reading arrays in batches", 5, 13, "CONFIG_BPF_SYSCALL"),
  /** Lookup and delete of a hash map's entry in one step. */
  TAKING_ENTRIES("reading and removing entries at once", 5, 14, "CONFIG_BPF_SYSCALL"),
  /** Links to perf events, detached without closing the event. */
  PERF_LINKS("links of performance events", 5, 15, "CONFIG_PERF_EVENTS"),
  /** Trampolines at function entry and exit: fentry and fexit. */
  TRAMPOLINES("trampolines of functions", 5, 5, "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS"),
  /** One link for many functions: kprobe.multi. */
  KPROBE_MULTI("links to many functions", 5, 18, "CONFIG_FPROBE"),
  /** Debug registers of the CPUs, for watchpoints. */
  BREAKPOINTS("hardware breakpoints", 2, 6, "CONFIG_HAVE_HW_BREAKPOINT");

  private final String title;
  private final int major;
  private final int minor;
  private final String option;

  Feature(String title, int major, int minor, String option) {
    this.title = title;
    this.major = major;
    this.minor = minor;
    this.option = option;
  }

  /** Returns a name for messages: {@code the ring buffer}. */
  public String title() {
    return title;
  }

  /** Returns the minimum Linux version: {@code 5.8}. */
  public String since() {
    return major + "." + minor;
  }

  /** Returns the kernel's build option: {@code CONFIG_BPF_SYSCALL}. */
  public String option() {
    return option;
  }

  /** Returns whether a kernel of this version can have it. */
  boolean isKnownTo(KernelVersion version) {
    return version.isAtLeast(major, minor);
  }
}
