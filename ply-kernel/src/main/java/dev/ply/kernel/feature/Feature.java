package dev.ply.kernel.feature;

import dev.ply.target.KernelVersion;

/**
 * Something of tracing that some kernels offer: since which version, and what they must be built
 * with.
 */
public enum Feature {
  /** Probes on functions: kprobe and kretprobe. */
  KPROBES("probes of kernel functions", 4, 17, "CONFIG_KPROBE_EVENTS"),
  /** Probes on functions of programs: uprobe and uretprobe. */
  UPROBES("probes of programs", 4, 17, "CONFIG_UPROBE_EVENTS"),
  /** Tracepoints, which tracefs lists. */
  TRACEPOINTS("tracepoints", 4, 7, "CONFIG_TRACEPOINTS"),
  /** Tracepoints of each system call by name. */
  SYSCALL_TRACEPOINTS("tracepoints of system calls", 4, 7, "CONFIG_FTRACE_SYSCALLS"),
  /** Tracepoints without a record. */
  RAW_TRACEPOINTS("raw tracepoints", 4, 17, "CONFIG_BPF_EVENTS"),
  /** The kernel's types. */
  BTF("type information (BTF)", 5, 4, "CONFIG_DEBUG_INFO_BTF"),
  /** The buffer that events are sent through. */
  RING_BUFFER("the ring buffer", 5, 8, "CONFIG_BPF_SYSCALL"),
  /** Reading many entries of a hash table with values for each CPU at a time. */
  HASH_BATCHES("reading hash tables in batches", 5, 6, "CONFIG_BPF_SYSCALL"),
  /** Reading many entries of an array with values for each CPU at a time. */
  ARRAY_BATCHES("reading arrays in batches", 5, 13, "CONFIG_BPF_SYSCALL"),
  /** Reading and removing an entry of a hash table at once. */
  TAKING_ENTRIES("reading and removing entries at once", 5, 14, "CONFIG_BPF_SYSCALL"),
  /** Detaching without closing the event. */
  PERF_LINKS("links of performance events", 5, 15, "CONFIG_PERF_EVENTS"),
  /** Programs at the entry and exit of a function, without a breakpoint: fentry and fexit. */
  TRAMPOLINES("trampolines of functions", 5, 5, "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS"),
  /** One program at many functions at once. */
  KPROBE_MULTI("links to many functions", 5, 18, "CONFIG_FPROBE");

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

  /** Returns what it is called, such as {@code the ring buffer}. */
  public String title() {
    return title;
  }

  /** Returns the first version of Linux that has it, such as {@code 5.8}. */
  public String since() {
    return major + "." + minor;
  }

  /** Returns the option that a kernel must be built with, such as {@code CONFIG_BPF_SYSCALL}. */
  public String option() {
    return option;
  }

  /** Tells whether a kernel of that version may have it. */
  boolean isKnownTo(KernelVersion version) {
    return version.isAtLeast(major, minor);
  }
}
