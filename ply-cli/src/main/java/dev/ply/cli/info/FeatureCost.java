package dev.ply.cli.info;

import dev.ply.kernel.feature.Feature;

/** What scripts lack on a kernel without a feature. */
final class FeatureCost {
  private FeatureCost() {}

  /** Returns it in a few words. */
  static String of(Feature feature) {
    return switch (feature) {
      case KPROBES -> "no kprobe, kretprobe and kprobe-events; tracepoints remain";
      case UPROBES -> "no uprobe, uretprobe, usdt and uprobe-events: programs cannot be probed";
      case TRACEPOINTS -> "no tracepoint";
      case SYSCALL_TRACEPOINTS ->
          "no tracepoint:syscalls:…; tracepoint:raw_syscalls:sys_enter has all calls by number";
      case RAW_TRACEPOINTS -> "no rawtracepoint, and hits of other tracepoints cost more";
      case BTF -> "no args of functions and no members of the kernel's structures";
      case RING_BUFFER -> "nothing that prints while the trace runs; maps remain";
      case HASH_BATCHES, ARRAY_BATCHES -> "maps are read key by key, which takes longer";
      case TAKING_ENTRIES -> "printing and clearing a map takes two steps";
      case PERF_LINKS -> "probes are attached without links, and their cookies are missing";
      case TRAMPOLINES -> "no fentry and fexit, and hits of other probes of functions cost more";
      case KPROBE_MULTI -> "patterns of many functions attach one by one, which takes longer";
      case BREAKPOINTS -> "no watchpoint";
    };
  }
}
