package dev.ply.bpf.simulate;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.plan.SystemCallPlan;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.PerfCounter;
import dev.ply.ir.PerfPeriod;
import dev.ply.ir.Provider.Offer;
import dev.ply.ir.TracepointSelector;
import dev.ply.ir.UsdtSelector;
import dev.ply.ir.UserSelector;
import dev.ply.target.PidNamespace;
import dev.ply.target.UserLocation;
import dev.ply.type.AddressSpace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A hit in a simulated kernel: a function call or return, a tracepoint, by some thread. Immutable.
 */
public final class Firing {
  private final AttachPoint point;
  private final Circumstances circumstances;
  private final Map<Integer, Long> arguments;
  private final Map<Integer, String> texts;
  private final long retval;
  private final Map<String, Object> fields;
  private final Map<String, Long> registers;
  private final Map<Long, byte[]> memory;
  private final Map<Location, String> placed;

  /**
   * The thread, CPU and stacks of a hit.
   *
   * @param comm the thread's name
   * @param stack the kernel stack, innermost address first
   * @param userStack the user stack, innermost address first
   * @param task the address of the thread's {@code task_struct}, 0 if that is not in memory
   * @param cgroup the ID of the thread's cgroup, 1 for the root
   * @param namespaced the IDs in the thread's own PID namespace, unless that is the initial one
   */
  public record Circumstances(
      int pid,
      int tid,
      int uid,
      int gid,
      String comm,
      int cpu,
      List<Long> stack,
      List<Long> userStack,
      long task,
      long cgroup,
      Optional<PidNamespace.Ids> namespaced) {
    public Circumstances {
      stack = List.copyOf(stack);
      userStack = List.copyOf(userStack);
    }

    /** A thread of the root cgroup and the initial PID namespace, without a {@code task_struct}. */
    public Circumstances(
        int pid,
        int tid,
        int uid,
        int gid,
        String comm,
        int cpu,
        List<Long> stack,
        List<Long> userStack) {
      this(pid, tid, uid, gid, comm, cpu, stack, userStack, 0, 1, Optional.empty());
    }

    /** Returns the IDs in a target's PID namespace, zeros where the thread has none there. */
    public PidNamespace.Ids idsFor(PidNamespace namespace) {
      return namespaced
          .filter(ids -> ids.namespace().equals(namespace))
          .orElseGet(() -> new PidNamespace.Ids(namespace, 0, 0));
    }
  }

  /** A location in memory. */
  public record Location(AddressSpace space, long address) {}

  private Firing(
      AttachPoint point,
      Circumstances circumstances,
      Map<Integer, Long> arguments,
      Map<Integer, String> texts,
      long retval,
      Map<String, Object> fields,
      Map<String, Long> registers,
      Map<Long, byte[]> memory,
      Map<Location, String> placed) {
    this.point = point;
    this.circumstances = circumstances;
    this.arguments = Map.copyOf(arguments);
    this.texts = Map.copyOf(texts);
    this.retval = retval;
    this.fields = Map.copyOf(fields);
    this.registers = Map.copyOf(registers);
    this.memory = Map.copyOf(memory);
    this.placed = Map.copyOf(placed);
  }

  private static Firing at(AttachPoint point) {
    return new Firing(
        point,
        new Circumstances(1, 1, 0, 0, "init", 0, List.of(), List.of()),
        Map.of(),
        Map.of(),
        0,
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of());
  }

  /**
   * A hit of a kernel instruction, usually a function's entry: by thread 1 of process 1, called
   * init, on CPU 0, as root.
   *
   * @param place as in a script, no pattern
   */
  public static Firing kprobe(String place) {
    return at(new AttachPoint.Kprobe(single(KernelSelector.parse(place))));
  }

  /** A return from a kernel function; kretprobes track any number of calls. */
  public static Firing kretprobe(String place) {
    return at(new AttachPoint.Kretprobe(single(KernelSelector.parseEntry(place))));
  }

  /** A call of a kernel function whose types the target knows. */
  public static Firing fentry(String function) {
    return at(new AttachPoint.Fentry(single(KernelSelector.parseEntry(function))));
  }

  /** A return from a kernel function whose types the target knows. */
  public static Firing fexit(String function) {
    return at(new AttachPoint.Fexit(single(KernelSelector.parseEntry(function))));
  }

  /**
   * A hit of an instruction in a program or library, usually a function's entry.
   *
   * @param binary as in the script
   * @param place as in the script, no pattern
   */
  public static Firing uprobe(String binary, String place) {
    return at(new AttachPoint.Uprobe(single(UserSelector.parse(binary + ":" + place))));
  }

  /** A return from a function of a program or library. */
  public static Firing uretprobe(String binary, String place) {
    return at(new AttachPoint.Uretprobe(single(UserSelector.parseEntry(binary + ":" + place))));
  }

  /**
   * A hit of a USDT probe.
   *
   * @param binary as in the script
   * @param provider of the USDT probe; anything if the script names none
   */
  public static Firing usdt(String binary, String provider, String name) {
    return usdt(binary, provider, name, 0);
  }

  /**
   * A hit of a USDT probe with several addresses.
   *
   * @param place the index of the address, in the order given to the target
   */
  public static Firing usdt(String binary, String provider, String name, int place) {
    return at(new AttachPoint.Usdt(new UsdtSelector.Location(binary, provider, name, place)));
  }

  private static <P extends UserSelector> P single(P place) {
    if (place instanceof UserSelector.Functions) {
      throw new IllegalArgumentException("\"" + place.text() + "\" is many functions: fire one");
    }
    return place;
  }

  private static <P extends KernelSelector> P single(P place) {
    if (place instanceof KernelSelector.Functions) {
      throw new IllegalArgumentException("\"" + place.text() + "\" is many functions: fire one");
    }
    return place;
  }

  /** A hit of the tracepoint {@code category:event}. */
  public static Firing tracepoint(String name) {
    TracepointSelector place = TracepointSelector.parse(name);
    if (place instanceof TracepointSelector.Events) {
      throw new IllegalArgumentException("\"" + name + "\" is many tracepoints: fire one");
    }
    return at(new AttachPoint.Tracepoint(place));
  }

  /** A hit of a raw tracepoint, whose arguments are 8-byte words. */
  public static Firing rawTracepoint(String event) {
    return at(new AttachPoint.RawTracepoint(event));
  }

  /** An overflow of a kernel counter: {@code page-faults:100} as in the script. */
  public static Firing software(String event) {
    return at(new AttachPoint.Software(PerfPeriod.parse(PerfCounter.Source.SOFTWARE, event)));
  }

  /** An overflow of a hardware counter: {@code cycles} as in the script. */
  public static Firing hardware(String event) {
    return at(new AttachPoint.Hardware(PerfPeriod.parse(PerfCounter.Source.HARDWARE, event)));
  }

  /** Returns this firing with an argument of the function, counted from 0. */
  public Firing arg(int index, long value) {
    Map<Integer, Long> more = new HashMap<>(arguments);
    more.put(index, value);
    return new Firing(point, circumstances, more, texts, retval, fields, registers, memory, placed);
  }

  /**
   * Returns this firing with an argument that points to a string in user memory.
   *
   * @param index counted from 0
   */
  public Firing arg(int index, String text) {
    Map<Integer, String> more = new HashMap<>(texts);
    more.put(index, text);
    return new Firing(
        point, circumstances, arguments, more, retval, fields, registers, memory, placed);
  }

  /** Returns this firing with a result of the function. */
  public Firing retval(long value) {
    return new Firing(
        point, circumstances, arguments, texts, value, fields, registers, memory, placed);
  }

  /**
   * Returns this firing with a value in a saved register; others are zero.
   *
   * @param name a member of struct pt_regs
   */
  public Firing register(String name, long value) {
    Map<String, Long> more = new HashMap<>(registers);
    more.put(name, value);
    return new Firing(point, circumstances, arguments, texts, retval, fields, more, memory, placed);
  }

  /** Returns this firing with a number in a field of the tracepoint's record; others are zero. */
  public Firing field(String name, long value) {
    return withField(name, value);
  }

  /**
   * Returns this firing with a string in a field of the tracepoint's record, or in memory that the
   * field points to.
   */
  public Firing field(String name, String text) {
    return withField(name, text);
  }

  /** Returns this firing with bytes in kernel memory; other memory is unreadable. */
  public Firing memory(long address, byte... content) {
    Map<Long, byte[]> more = new HashMap<>(memory);
    more.put(address, content.clone());
    return new Firing(
        point, circumstances, arguments, texts, retval, fields, registers, more, placed);
  }

  private Firing withField(String name, Object value) {
    Map<String, Object> more = new HashMap<>(fields);
    more.put(name, value);
    return new Firing(
        point, circumstances, arguments, texts, retval, more, registers, memory, placed);
  }

  /** Returns this firing by a thread of this name. */
  public Firing comm(String comm) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            c.tid,
            c.uid,
            c.gid,
            comm,
            c.cpu,
            c.stack,
            c.userStack,
            c.task,
            c.cgroup,
            c.namespaced));
  }

  /** Returns this firing by the main thread of a process. */
  public Firing pid(int pid) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            pid,
            pid,
            c.uid,
            c.gid,
            c.comm,
            c.cpu,
            c.stack,
            c.userStack,
            c.task,
            c.cgroup,
            c.namespaced));
  }

  /** Returns this firing by a thread of the process. */
  public Firing tid(int tid) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            tid,
            c.uid,
            c.gid,
            c.comm,
            c.cpu,
            c.stack,
            c.userStack,
            c.task,
            c.cgroup,
            c.namespaced));
  }

  /**
   * Returns this done by a thread that was created in a PID namespace other than the initial one,
   * where it has IDs besides those of {@link #pid} and {@link #tid}.
   */
  public Firing inPidNamespace(PidNamespace namespace, int pid, int tid) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            c.tid,
            c.uid,
            c.gid,
            c.comm,
            c.cpu,
            c.stack,
            c.userStack,
            c.task,
            c.cgroup,
            Optional.of(new PidNamespace.Ids(namespace, pid, tid))));
  }

  /** Returns this done in a cgroup of that ID. */
  public Firing cgroup(long id) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            c.tid,
            c.uid,
            c.gid,
            c.comm,
            c.cpu,
            c.stack,
            c.userStack,
            c.task,
            id,
            c.namespaced));
  }

  /** Returns this done by that user and group. */
  public Firing user(int uid, int gid) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            c.tid,
            uid,
            gid,
            c.comm,
            c.cpu,
            c.stack,
            c.userStack,
            c.task,
            c.cgroup,
            c.namespaced));
  }

  /** Returns this firing on a CPU, counted from 0. */
  public Firing cpu(int cpu) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            c.tid,
            c.uid,
            c.gid,
            c.comm,
            cpu,
            c.stack,
            c.userStack,
            c.task,
            c.cgroup,
            c.namespaced));
  }

  /** Returns this firing by the thread whose {@code task_struct} is at that address. */
  public Firing task(long address) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            c.tid,
            c.uid,
            c.gid,
            c.comm,
            c.cpu,
            c.stack,
            c.userStack,
            address,
            c.cgroup,
            c.namespaced));
  }

  /** Returns this firing with a kernel stack, innermost address first; none by default. */
  public Firing stack(Long... addresses) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            c.tid,
            c.uid,
            c.gid,
            c.comm,
            c.cpu,
            List.of(addresses),
            c.userStack,
            c.task,
            c.cgroup,
            c.namespaced));
  }

  /** Returns this firing with a user stack, innermost address first; none by default. */
  public Firing userStack(Long... addresses) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid,
            c.tid,
            c.uid,
            c.gid,
            c.comm,
            c.cpu,
            c.stack,
            List.of(addresses),
            c.task,
            c.cgroup,
            c.namespaced));
  }

  /**
   * Returns this firing with a NUL-terminated string in memory, for a number in a field, argument
   * or register to point to.
   *
   * @throws IllegalArgumentException for other memory than kernel's and user's
   */
  public Firing text(AddressSpace space, long address, String text) {
    if (space == AddressSpace.CONTEXT) {
      throw new IllegalArgumentException(
          "strings are in KERNEL or USER memory, not in the context");
    }
    Map<Location, String> more = new HashMap<>(placed);
    more.put(new Location(space, address), text);
    return new Firing(
        point, circumstances, arguments, texts, retval, fields, registers, memory, more);
  }

  private Firing by(Circumstances others) {
    return new Firing(point, others, arguments, texts, retval, fields, registers, memory, placed);
  }

  /** Returns the probe that is hit. */
  public AttachPoint point() {
    return point;
  }

  /** Returns whether this is a hit of a spec's site; kretprobes match with any maxactive. */
  boolean isAt(AttachSpec spec, AttachSite site) {
    if (spec instanceof AttachSpec.AllSyscalls all) {
      // Runs for all syscalls; the program checks the number.
      return SystemCallPlan.endOf(point).filter(end -> end.event().equals(all.event())).isPresent();
    }
    String definition = point.definition();
    if (spec instanceof AttachSpec.Kprobe kprobe && kprobe.maxActive().isPresent()) {
      definition += ":" + kprobe.maxActive().getAsInt();
    }
    return site.definition().equals(definition)
        && (!(point instanceof AttachPoint.Usdt usdt)
            || !(spec instanceof AttachSpec.Uprobe uprobe)
            || isLocation(usdt.place(), uprobe.locations().get(0)));
  }

  /** A USDT probe can have several addresses in one binary. */
  private static boolean isLocation(UsdtSelector place, UserLocation location) {
    return ((UsdtSelector.Location) place).address() == location.offset();
  }

  /** Returns the thread, CPU and stacks. */
  public Circumstances circumstances() {
    return circumstances;
  }

  /** Returns the arguments that were set, by index. */
  public Map<Integer, Long> arguments() {
    return arguments;
  }

  /** Returns the strings that arguments point to, by index. */
  public Map<Integer, String> texts() {
    return texts;
  }

  /** Returns the function's result. */
  public long returned() {
    return retval;
  }

  /** Returns the registers that were set by name, except for arguments. */
  public Map<String, Long> registers() {
    return registers;
  }

  Map<Long, byte[]> memory() {
    return memory;
  }

  /** Returns the fields that were set, each a {@link Long} or a {@link String}. */
  public Map<String, Object> fields() {
    return fields;
  }

  /** Returns the strings in memory, except for those of fields. */
  public Map<Location, String> placedTexts() {
    return placed;
  }

  /** Returns the firing as Java code, without defaults. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(point.definition());
    out.append(" by ").append(circumstances.comm.isEmpty() ? "\"\"" : circumstances.comm);
    out.append(" pid ").append(circumstances.pid).append(" tid ").append(circumstances.tid);
    out.append(" uid ").append(circumstances.uid).append(" gid ").append(circumstances.gid);
    out.append(" cpu ").append(circumstances.cpu);
    circumstances.namespaced.ifPresent(ids -> out.append(' ').append(ids));
    new TreeMap<>(arguments).forEach((index, value) -> out.append(set("arg" + index, value)));
    if (point.offers(Offer.RETURN_VALUE)) {
      out.append(set("retval", retval));
    }
    new TreeMap<>(fields).forEach((name, value) -> out.append(set(name, value)));
    new TreeMap<>(registers).forEach((name, value) -> out.append(set(name, value)));
    placed.forEach(
        (at, text) -> out.append(set(at.space + " 0x" + Long.toHexString(at.address), text)));
    return out.toString();
  }

  private static String set(String name, Object value) {
    return ", " + name + " = " + (value instanceof String ? "\"" + value + "\"" : value);
  }
}
