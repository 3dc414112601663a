package dev.ply.bpf.simulate;

import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.CounterProbe;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.PerfCounter;
import dev.ply.probe.PerfPeriod;
import dev.ply.probe.UserProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.selector.WatchSelector;
import dev.ply.target.PidNamespace;
import dev.ply.type.AddressSpace;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A hit in a simulated kernel: a function call or return, a tracepoint, by some thread. Immutable.
 */
public final class Firing {
  private final FiringState state;

  /**
   * A location in memory.
   *
   * @param space kernel, user or physical memory
   * @param address of the first byte
   */
  public record Location(AddressSpace space, long address) {}

  private Firing(FiringState state) {
    this.state = state;
  }

  private static Firing at(AttachPoint point) {
    return new Firing(new FiringState(point));
  }

  private Firing with(Consumer<FiringState> change) {
    FiringState copy = new FiringState(state);
    change.accept(copy);
    return new Firing(copy);
  }

  /**
   * A hit of a kernel instruction, usually a function's entry: by thread 1 of process 1, called
   * init, on CPU 0, as root.
   *
   * @param site as in a script, no pattern
   * @return the hit, to which arguments and memory can be added
   */
  public static Firing kprobe(String site) {
    return at(new KernelProbe.Kprobe(FiringCheck.single(KernelSelector.parse(site))));
  }

  /**
   * A return from a kernel function; kretprobes track any number of calls.
   *
   * @param site as in a script, no pattern
   * @return the return, whose result is zero
   */
  public static Firing kretprobe(String site) {
    return at(new KernelProbe.Kretprobe(FiringCheck.single(KernelSelector.parseEntry(site))));
  }

  /**
   * A call of a kernel function whose types the target knows.
   *
   * @param function as in a script, no pattern
   * @return the call, whose arguments are zero
   */
  public static Firing fentry(String function) {
    return at(new KernelProbe.Fentry(FiringCheck.single(KernelSelector.parseEntry(function))));
  }

  /**
   * A return from a kernel function whose types the target knows.
   *
   * @param function as in a script, no pattern
   * @return the return, whose arguments and result are zero
   */
  public static Firing fexit(String function) {
    return at(new KernelProbe.Fexit(FiringCheck.single(KernelSelector.parseEntry(function))));
  }

  /**
   * A hit of an instruction in a program or library, usually a function's entry.
   *
   * @param binary as in the script
   * @param site as in the script, no pattern
   * @return the hit, whose arguments are zero
   */
  public static Firing uprobe(String binary, String site) {
    FiringCheck.requireFile(binary);
    return at(new UserProbe.Uprobe(FiringCheck.single(UserSelector.parse(binary + ":" + site))));
  }

  /**
   * A return from a function of a program or library.
   *
   * @param binary as in the script
   * @param site as in the script, no pattern
   * @return the return, whose result is zero
   */
  public static Firing uretprobe(String binary, String site) {
    FiringCheck.requireFile(binary);
    return at(
        new UserProbe.Uretprobe(FiringCheck.single(UserSelector.parseEntry(binary + ":" + site))));
  }

  /**
   * A hit of a USDT probe.
   *
   * @param binary as in the script
   * @param provider of the USDT probe; anything if the script names none
   * @param name of the USDT probe
   * @return the hit, at the first address
   */
  public static Firing usdt(String binary, String provider, String name) {
    return usdt(binary, provider, name, 0);
  }

  /**
   * A hit of a USDT probe with several addresses.
   *
   * @param binary as in the script
   * @param provider of the USDT probe; anything if the script names none
   * @param name of the USDT probe
   * @param address the index of the address, in the order given to the target
   * @return the hit at that address
   */
  public static Firing usdt(String binary, String provider, String name, int address) {
    FiringCheck.requireMark(binary, provider, name, address);
    return at(new AttachPoint.Usdt(new UsdtSelector.Location(binary, provider, name, address)));
  }

  /**
   * A hit of the tracepoint {@code category:event}.
   *
   * @param name category and event, separated by a colon
   * @return the hit, whose fields are zero
   */
  public static Firing tracepoint(String name) {
    TracepointSelector site = TracepointSelector.parse(name);
    if (site instanceof TracepointSelector.Events) {
      throw new IllegalArgumentException("\"" + name + "\" selects many tracepoints: fire one");
    }
    return at(new AttachPoint.Tracepoint(site));
  }

  /**
   * A hit of a raw tracepoint, whose arguments are 8-byte words.
   *
   * @param event without category
   * @return the hit, whose arguments are zero
   */
  public static Firing rawTracepoint(String event) {
    return at(new AttachPoint.RawTracepoint(event));
  }

  /**
   * An overflow of a kernel counter: {@code page-faults:100} as in the script.
   *
   * @param event the counter, and its period after a colon
   * @return the overflow
   */
  public static Firing software(String event) {
    return at(new CounterProbe.Software(PerfPeriod.parse(PerfCounter.Source.SOFTWARE, event)));
  }

  /**
   * An overflow of a hardware counter: {@code cycles} as in the script.
   *
   * @param event the counter, and its period after a colon
   * @return the overflow
   */
  public static Firing hardware(String event) {
    return at(new CounterProbe.Hardware(PerfPeriod.parse(PerfCounter.Source.HARDWARE, event)));
  }

  /**
   * An access to watched memory: {@code 0x10000000:8:rw} as in the script.
   *
   * @param memory address, length and access as in the script
   * @return the access
   */
  public static Firing watchpoint(String memory) {
    return at(new AttachPoint.Watchpoint(WatchSelector.parse(memory)));
  }

  /**
   * One of the objects of an iterator.
   *
   * <p>Argument 0 is the kernel's description of the iteration, the object follows.
   *
   * @param objects the kind, such as {@code task}
   * @return the visit of the object
   */
  public static Firing iterator(String objects) {
    return at(new AttachPoint.Iterator(objects));
  }

  /**
   * {@return this firing with an argument of the function, counted from 0}
   *
   * @param index counted from 0
   * @param value in 64 bits
   */
  public Firing arg(int index, long value) {
    FiringCheck.requireIndex(index);
    return with(s -> s.arguments.put(index, value));
  }

  /**
   * {@return this firing with an argument that points to a string in user memory}
   *
   * @param index counted from 0
   * @param text stored with a NUL at an address of its own
   */
  public Firing arg(int index, String text) {
    FiringCheck.requireIndex(index);
    return with(s -> s.texts.put(index, text));
  }

  /**
   * {@return this firing with a result of the function}
   *
   * @param value in 64 bits
   */
  public Firing retval(long value) {
    return with(s -> s.retval = value);
  }

  /**
   * {@return this firing with a value in a saved register; others are zero}
   *
   * @param name a member of struct pt_regs
   * @param value in 64 bits
   */
  public Firing register(String name, long value) {
    if (Arrays.stream(Architecture.values())
        .noneMatch(any -> any.registerOffset(name).isPresent())) {
      throw new IllegalArgumentException("no architecture has a register \"" + name + "\"");
    }
    return with(s -> s.registers.put(name, value));
  }

  /**
   * {@return this firing with a number in a field of the tracepoint's record; others are zero}
   *
   * @param name as in the {@code format} file
   * @param value cut to the field's size
   */
  public Firing field(String name, long value) {
    FiringCheck.requireField(name);
    return with(s -> s.fields.put(name, value));
  }

  /**
   * {@return this firing with a string in a field of the tracepoint's record, or in memory that the
   * field points to}
   *
   * @param name as in the {@code format} file
   * @param text stored with a NUL
   */
  public Firing field(String name, String text) {
    FiringCheck.requireField(name);
    return with(s -> s.fields.put(name, text));
  }

  /**
   * {@return this firing with bytes in kernel memory; other memory is unreadable}
   *
   * @param address of the first byte
   * @param content in order
   */
  public Firing memory(long address, byte... content) {
    if (content.length == 0) {
      throw new IllegalArgumentException("memory has at least one byte");
    }
    return with(s -> s.memory.put(address, content.clone()));
  }

  /**
   * {@return this firing by a thread of this name}
   *
   * @param comm as the kernel shows it
   */
  public Firing comm(String comm) {
    FiringCheck.requireComm(comm);
    return with(s -> s.comm = comm);
  }

  /**
   * {@return this firing by the main thread of a process}
   *
   * @param pid of the process and its main thread
   */
  public Firing pid(int pid) {
    FiringCheck.requireId(pid);
    return with(
        s -> {
          s.pid = pid;
          s.tid = pid;
        });
  }

  /**
   * {@return this firing by a thread of the process}
   *
   * @param tid of the thread
   */
  public Firing tid(int tid) {
    FiringCheck.requireId(tid);
    return with(s -> s.tid = tid);
  }

  /**
   * {@return this firing by a thread created in another PID namespace than the initial one, where
   * it has other IDs than {@link #pid} and {@link #tid}}
   *
   * @param namespace the one it was created in
   * @param pid in that namespace
   * @param tid in that namespace
   */
  public Firing inPidNamespace(PidNamespace namespace, int pid, int tid) {
    FiringCheck.requireId(pid);
    FiringCheck.requireId(tid);
    return with(s -> s.namespaced = Optional.of(new PidNamespace.Ids(namespace, pid, tid)));
  }

  /**
   * {@return this firing in a cgroup}
   *
   * @param id as {@code bpf_get_current_cgroup_id} returns it
   */
  public Firing cgroup(long id) {
    return with(s -> s.cgroup = id);
  }

  /**
   * {@return this done by that user and group}
   *
   * @param uid in the initial user namespace
   * @param gid in the initial user namespace
   */
  public Firing user(int uid, int gid) {
    return with(
        s -> {
          s.uid = uid;
          s.gid = gid;
        });
  }

  /**
   * {@return this firing on a CPU, counted from 0}
   *
   * @param cpu below the number of the tracer's CPUs
   */
  public Firing cpu(int cpu) {
    if (cpu < 0) {
      throw new IllegalArgumentException("CPUs are counted from 0, not " + cpu);
    }
    return with(s -> s.cpu = cpu);
  }

  /**
   * {@return this firing by a thread whose {@code task_struct} is at an address}
   *
   * @param address in kernel memory
   */
  public Firing task(long address) {
    return with(s -> s.task = address);
  }

  /**
   * {@return this firing with a kernel stack, innermost address first; none by default}
   *
   * @param addresses of the kernel
   */
  public Firing stack(Long... addresses) {
    return with(s -> s.stack = List.of(addresses));
  }

  /**
   * {@return this firing with a user stack, innermost address first; none by default}
   *
   * @param addresses of the process
   */
  public Firing userStack(Long... addresses) {
    return with(s -> s.userStack = List.of(addresses));
  }

  /**
   * {@return this firing with a NUL-terminated string in memory, for a number in a field, argument
   * or register to point to}
   *
   * @param space kernel or user memory
   * @param address of the first byte
   * @param text encoded as UTF-8
   * @throws IllegalArgumentException for other memory than kernel's and user's
   */
  public Firing text(AddressSpace space, long address, String text) {
    if (space == AddressSpace.CONTEXT) {
      throw new IllegalArgumentException(
          "strings are in KERNEL or USER memory, not in the context");
    }
    return with(s -> s.placed.put(new Location(space, address), text));
  }

  /** {@return the probe that is hit} */
  public AttachPoint point() {
    return state.point;
  }

  /** {@return the thread, CPU and stacks} */
  public Circumstances circumstances() {
    return new Circumstances(
        state.pid,
        state.tid,
        state.uid,
        state.gid,
        state.comm,
        state.cpu,
        state.stack,
        state.userStack,
        state.task,
        state.cgroup,
        state.namespaced);
  }

  /** {@return the arguments that were set, by index} */
  public Map<Integer, Long> arguments() {
    return Collections.unmodifiableMap(state.arguments);
  }

  /** {@return the strings that arguments point to, by index} */
  public Map<Integer, String> texts() {
    return Collections.unmodifiableMap(state.texts);
  }

  /** {@return the function's result} */
  public long returned() {
    return state.retval;
  }

  /** {@return the registers that were set by name, except for arguments} */
  public Map<String, Long> registers() {
    return Collections.unmodifiableMap(state.registers);
  }

  Map<Long, byte[]> memory() {
    return Collections.unmodifiableMap(state.memory);
  }

  /** {@return the fields that were set, each a {@link Long} or a {@link String}} */
  public Map<String, Object> fields() {
    return Collections.unmodifiableMap(state.fields);
  }

  /** {@return the strings in memory, except for those of fields} */
  public Map<Location, String> placedTexts() {
    return Collections.unmodifiableMap(state.placed);
  }

  /** Returns the firing as Java code, without defaults. */
  @Override
  public String toString() {
    return state.toString();
  }
}
