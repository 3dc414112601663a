package dev.ply.cli.bpftrace;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import dev.ply.kernel.feature.KernelTrials;

/**
 * Prints the lines of {@code bpftrace --info}, which scripts search for words such as {@code
 * kprobe_multi: yes}. Each is asked of the kernel; those of the build say what ply can do itself.
 */
final class BpftraceInfo {
  private final Console console;
  private final KernelFeatures features = KernelFeatures.ofThisKernel();

  BpftraceInfo(Console console) {
    this.console = console;
  }

  /** Prints the lines, in sections, and returns the exit status. */
  int run() {
    section("Build by bpftrace's names");
    // Without the libraries of these names: ply reads such files itself.
    line("libdw (DWARF support)", true);
    line("bcc library path resolution", true);
    line("libsystemd (systemd notify support)", false);
    line("blazesym (advanced symbolization)", false);
    line("dwunwind (DWARF stack unwinding)", true);
    section("Kernel helpers");
    for (Helper helper :
        new Helper[] {
          Helper.PROBE_READ,
          Helper.PROBE_READ_STR,
          Helper.PROBE_READ_USER,
          Helper.PROBE_READ_USER_STR,
          Helper.PROBE_READ_KERNEL,
          Helper.PROBE_READ_KERNEL_STR,
          Helper.GET_CURRENT_CGROUP_ID,
          Helper.SEND_SIGNAL,
          Helper.OVERRIDE_RETURN,
          Helper.GET_FUNC_IP,
          Helper.JIFFIES64,
          Helper.FOR_EACH_MAP_ELEM,
          Helper.GET_NS_CURRENT_PID_TGID
        }) {
      helper(helper.kernelName(), helper);
    }
    helper("get_boot_ns", Helper.KTIME_GET_BOOT_NS);
    helper("get_tai_ns", Helper.KTIME_GET_TAI_NS);
    helper("lookup_percpu_elem", Helper.MAP_LOOKUP_PERCPU_ELEM);
    helper("loop", Helper.LOOP);
    line("dpath", KernelTrials.offersIterators(Helper.D_PATH));
    line("skboutput", features.has(Feature.TRAMPOLINES));
    section("Kernel features by bpftrace's names");
    console
        .output()
        .print(
            "  Instruction limit: "
                + KernelTrials.instructionLimit().stream()
                    .mapToObj(Integer::toString)
                    .findFirst()
                    .orElse("unknown")
                + "\n");
    // Since Linux 5.3, before anything that ply runs on.
    line("Loop support", true);
    boolean hasTypes = features.has(Feature.BTF);
    line("btf", hasTypes);
    line("module btf", hasTypes && new RunningKernel().version().isAtLeast(5, 11));
    line("map batch", features.has(Feature.HASH_BATCHES));
    section("Map types");
    map("hash", MapType.HASH);
    map("array", MapType.ARRAY);
    map("percpu array", MapType.PERCPU_ARRAY);
    map("stack_trace", MapType.STACK_TRACE);
    map("perf_event_array", MapType.PERF_EVENT_ARRAY);
    map("ringbuf", MapType.RINGBUF);
    section("Probe types");
    line("kprobe", features.has(Feature.KPROBES));
    line("tracepoint", features.has(Feature.TRACEPOINTS));
    line("perf_event", features.has(Feature.PERF_LINKS));
    line("fentry", features.has(Feature.TRAMPOLINES));
    line("kprobe_multi", features.has(Feature.KPROBE_MULTI));
    line("uprobe_multi", KernelTrials.linksManyUprobes());
    line("kprobe_session", KernelTrials.linksSessions());
    line("iter", KernelTrials.iterates());
    return ExitCode.OK;
  }

  private void helper(String name, Helper helper) {
    line(name, KernelTrials.offers(ProgramType.KPROBE, helper));
  }

  private void map(String name, MapType type) {
    line(name, KernelTrials.creates(type));
  }

  private void section(String title) {
    console.output().print("\n" + title + "\n");
  }

  private void line(String name, boolean offered) {
    console.output().print("  " + name + ": " + (offered ? "yes" : "no") + "\n");
  }
}
