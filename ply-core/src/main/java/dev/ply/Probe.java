package dev.ply;

import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.CounterProbe;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.OffCpuProbe;
import dev.ply.probe.PerfCounter;
import dev.ply.probe.PerfPeriod;
import dev.ply.probe.SamplingRate;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import dev.ply.probe.UserProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.selector.WatchSelector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Probe sites and a clause that runs at them. Immutable; {@code
 * Probe.kprobe("vfs_read").quantize(arg(2))} is one.
 */
public sealed interface Probe permits AggregateProbe, ActionProbe, EventProbe {
  /**
   * {@return the clause of this probe}
   *
   * @param map the name of the map it aggregates into, if it aggregates
   */
  Clause clause(String map);

  /** {@return the name of this probe's map, if chosen} */
  default Optional<String> name() {
    return Optional.empty();
  }

  /**
   * Begins a probe in the kernel's code.
   *
   * @param site a function ({@code vfs_read}), a module's function ({@code ext4:ext4_sync_file}),
   *     many ({@code vfs_*}), an instruction ({@code vfs_read+8}) or an address ({@code
   *     0xffffffff81000000}); see {@link dev.ply.selector.Glob} for patterns
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the syntax is invalid
   */
  static ProbeBuilder kprobe(String site) {
    return ProbeBuilder.at(new KernelProbe.Kprobe(KernelSelector.parse(site)));
  }

  /**
   * Starts a probe on the return from a kernel function.
   *
   * @param site as for {@link #kprobe}, but no instruction inside a function
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the syntax is invalid
   */
  static ProbeBuilder kretprobe(String site) {
    return ProbeBuilder.at(KernelProbe.Kretprobe.parse(site));
  }

  /**
   * Starts a probe on the return from a kernel function with many concurrent calls, attached
   * through {@code kprobe_events}.
   *
   * @param site as for {@link #kretprobe(String)}
   * @param maxActive how many concurrent calls can be tracked, 1 to 4096; a function that sleeps
   *     may need one per thread
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the site is invalid, or the number out of
   *     range
   * @see #kretprobe(String)
   */
  static ProbeBuilder kretprobe(String site, int maxActive) {
    return ProbeBuilder.at(
        new KernelProbe.Kretprobe(KernelSelector.parseEntry(site), OptionalInt.of(maxActive)));
  }

  /**
   * Begins a probe at the entry of a kernel function, with its arguments by name and type: {@code
   * field("file")}.
   *
   * @param site a function or many, as for {@link #kprobe}
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if it is neither
   */
  static ProbeBuilder fentry(String site) {
    return ProbeBuilder.at(new KernelProbe.Fentry(KernelSelector.parseEntry(site)));
  }

  /**
   * Starts a probe on the return from a kernel function, with typed arguments and result.
   *
   * @param site a function or a pattern, as for {@link #kprobe}
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if it is neither
   */
  static ProbeBuilder fexit(String site) {
    return ProbeBuilder.at(new KernelProbe.Fexit(KernelSelector.parseEntry(site)));
  }

  /**
   * Begins a probe in the code of a program or library.
   *
   * @param binary a path, a library's short name ({@code c}), a program in {@code $PATH}, or the
   *     number of a process
   * @param site a function ({@code malloc}), many ({@code mem*}), an instruction ({@code malloc+8})
   *     or an address as the file's own tables have it ({@code 0x31f00})
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the syntax is invalid
   */
  static ProbeBuilder uprobe(String binary, String site) {
    return ProbeBuilder.at(new UserProbe.Uprobe(UserSelector.parse('"' + binary + "\":" + site)));
  }

  /**
   * Starts a probe in the code of a program or library.
   *
   * @param binary its file, relative to this process's directory if not absolute
   * @param site as for {@link #uprobe(String, String)}
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the site is invalid
   */
  static ProbeBuilder uprobe(Path binary, String site) {
    return uprobe(binary.toAbsolutePath().toString(), site);
  }

  /**
   * Starts a probe on the return from a function of a program or library.
   *
   * @param binary as for {@link #uprobe(String, String)}
   * @param site as for {@link #uprobe(String, String)}, but no instruction inside a function
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the syntax is invalid
   */
  static ProbeBuilder uretprobe(String binary, String site) {
    return ProbeBuilder.at(
        new UserProbe.Uretprobe(UserSelector.parseEntry('"' + binary + "\":" + site)));
  }

  /**
   * Starts a probe on the return from a function of a program or library.
   *
   * @param binary its file, relative to this process's directory if not absolute
   * @param site as for {@link #uretprobe(String, String)}
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the site is invalid
   */
  static ProbeBuilder uretprobe(Path binary, String site) {
    return uretprobe(binary.toAbsolutePath().toString(), site);
  }

  /**
   * Starts a USDT probe.
   *
   * @param binary as for {@link #uprobe(String, String)}
   * @param mark {@code provider:name} or the name alone; both can be patterns
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if it is neither
   */
  static ProbeBuilder usdt(String binary, String mark) {
    return ProbeBuilder.at(new AttachPoint.Usdt(UsdtSelector.parse('"' + binary + "\":" + mark)));
  }

  /**
   * Starts a USDT probe.
   *
   * @param binary the file of a program or library, relative to this process's directory if not
   *     absolute
   * @param mark {@code provider:name} or the name alone; both can be patterns
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if it is neither
   */
  static ProbeBuilder usdt(Path binary, String mark) {
    return usdt(binary.toAbsolutePath().toString(), mark);
  }

  /**
   * Starts a probe on tracepoints.
   *
   * @param name {@code category:event}; both can be patterns, as {@link dev.ply.selector.Glob}
   *     describes them
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if it is invalid
   */
  static ProbeBuilder tracepoint(String name) {
    return ProbeBuilder.at(new AttachPoint.Tracepoint(TracepointSelector.parse(name)));
  }

  /**
   * Starts a probe on a raw tracepoint, whose arguments are those of the kernel's trace call.
   *
   * @param event the bare name, {@code sched_switch}
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if it is invalid
   */
  static ProbeBuilder rawTracepoint(String event) {
    return ProbeBuilder.at(new AttachPoint.RawTracepoint(event));
  }

  /**
   * Starts a probe on the overflow of a kernel counter, on every CPU.
   *
   * @param event as scripts write it: {@code page-faults:100}, {@code faults}
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the counter is unknown
   */
  static ProbeBuilder software(String event) {
    return ProbeBuilder.at(
        new CounterProbe.Software(PerfPeriod.parse(PerfCounter.Source.SOFTWARE, event)));
  }

  /**
   * Starts a probe on the overflow of a hardware counter, on every CPU.
   *
   * @param event as scripts write it: {@code cache-misses:1000000}, {@code cycles}
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if the counter is unknown
   */
  static ProbeBuilder hardware(String event) {
    return ProbeBuilder.at(
        new CounterProbe.Hardware(PerfPeriod.parse(PerfCounter.Source.HARDWARE, event)));
  }

  /**
   * Starts a probe on accesses to memory, by a breakpoint of the processor on every CPU; each has
   * four or so.
   *
   * @param memory as scripts write it: {@code 0x10000000:8:rw}, {@code jiffies:8:w}
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if it is invalid
   */
  static ProbeBuilder watchpoint(String memory) {
    return ProbeBuilder.at(new AttachPoint.Watchpoint(WatchSelector.parse(memory)));
  }

  /**
   * Starts a clause that runs for each of the kernel's objects of a kind, when everything is
   * attached. Requires Linux 5.8.
   *
   * @param objects {@code task}, {@code task_file}, {@code task_vma}, …
   * @return the start of a clause: predicates and keys, then what it does
   * @throws dev.ply.selector.InvalidSelectorException if it is invalid
   */
  static ProbeBuilder iterator(String objects) {
    return ProbeBuilder.at(new AttachPoint.Iterator(objects));
  }

  /**
   * Starts a clause that runs each time a thread runs again after it was off the CPU, for any
   * reason; {@link Values#latency()} is how long it was off. Stacks, names and IDs are those of the
   * thread.
   *
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder offCpu() {
    return offCpu(OffCpuProbe.Reason.ANY);
  }

  /**
   * Starts a clause as {@link #offCpu()} does, for threads that leave the CPU for a reason.
   *
   * @param reason because they wait, or because others run
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder offCpu(OffCpuProbe.Reason reason) {
    return ProbeBuilder.at(new OffCpuProbe(reason));
  }

  /**
   * Starts a clause that runs once, before all probes.
   *
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder begin() {
    return ProbeBuilder.at(new TracerProbe.Begin());
  }

  /**
   * Starts a clause that runs once, after all probes.
   *
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder end() {
    return ProbeBuilder.at(new TracerProbe.End());
  }

  /**
   * Starts a clause that runs when ply receives SIGUSR1, and in a program by {@code
   * Session.run("self:signal:SIGUSR1")}.
   *
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder userSignal() {
    return ProbeBuilder.at(new TracerProbe.UserSignal());
  }

  /**
   * Starts a test, which {@link Session#run} runs.
   *
   * @param name of letters, digits, {@code _}, {@code -} and {@code .}
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder test(String name) {
    return ProbeBuilder.at(new TracerProbe.Test(name));
  }

  /**
   * Starts a benchmark, which {@link Session#measure} runs.
   *
   * @param name of letters, digits, {@code _}, {@code -} and {@code .}
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder bench(String name) {
    return ProbeBuilder.at(new TracerProbe.Bench(name));
  }

  /**
   * Starts a timer on one CPU.
   *
   * @param period longer than zero
   * @return the start of a clause: predicates and keys, then what it does
   * @throws IllegalArgumentException if it is not
   */
  static ProbeBuilder interval(Duration period) {
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("an interval is longer than " + period);
    }
    return ProbeBuilder.at(new TimerProbe.Interval(period));
  }

  /**
   * Starts a timer on every CPU, {@code hertz} times a second.
   *
   * @param hertz at least 1; the kernel's limit is {@code kernel.perf_event_max_sample_rate}
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder profile(long hertz) {
    return profile(OptionalInt.empty(), new SamplingRate.Hertz(hertz));
  }

  /**
   * Starts a timer on one CPU, {@code hertz} times a second.
   *
   * @param cpu counted from 0; must be online when the trace starts
   * @param hertz times a second, at least 1; the kernel limits it ({@code
   *     kernel.perf_event_max_sample_rate})
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder profile(int cpu, long hertz) {
    return profile(OptionalInt.of(cpu), new SamplingRate.Hertz(hertz));
  }

  /**
   * Starts a timer on every CPU with a fixed period.
   *
   * @param period longer than zero
   * @return the start of a clause: predicates and keys, then what it does
   */
  static ProbeBuilder profile(Duration period) {
    return profile(OptionalInt.empty(), new SamplingRate.Every(period));
  }

  private static ProbeBuilder profile(OptionalInt cpu, SamplingRate rate) {
    return ProbeBuilder.at(new TimerProbe.Profile(cpu, rate));
  }

  /**
   * {@return the script of several probes, in order} Maps of aggregating probes without a name are
   * called {@code @}, {@code @2}, {@code @3}… by their position among aggregating probes.
   *
   * @param probes in the order in which those of one site run
   */
  static Script script(List<? extends Probe> probes) {
    List<String> names = mapNames(probes);
    List<Clause> clauses = new ArrayList<>();
    for (int i = 0; i < probes.size(); i++) {
      clauses.add(probes.get(i).clause(names.get(i)));
    }
    return new Script(clauses);
  }

  /**
   * {@return the name of each probe's map in {@link #script}; empty for probes without one}
   *
   * @param probes in the order in which those of one site run
   */
  static List<String> mapNames(List<? extends Probe> probes) {
    List<String> names = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    int aggregations = 0;
    for (Probe probe : probes) {
      String name = "";
      if (probe instanceof AggregateProbe<?>) {
        aggregations++;
        name =
            probe.name().map(own -> "@" + own).orElse(aggregations == 1 ? "@" : "@" + aggregations);
        if (!taken.add(name)) {
          throw new IllegalArgumentException(
              "two probes collect into \"" + name + "\": give one of them another name");
        }
      }
      names.add(name);
    }
    return names;
  }
}
