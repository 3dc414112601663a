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
import dev.ply.target.UserLocation;
import dev.ply.type.AddressSpace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Something that happens in a simulated kernel: a function called or left, a tracepoint passed, by
 * some thread. Immutable.
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
   * Who does it, and where.
   *
   * @param comm the thread's name
   * @param stack the addresses of a kernel stack, the innermost first
   * @param userStack the addresses of the process's own stack, the innermost first
   */
  public record Circumstances(
      int pid,
      int tid,
      int uid,
      int gid,
      String comm,
      int cpu,
      List<Long> stack,
      List<Long> userStack) {
    public Circumstances {
      stack = List.copyOf(stack);
      userStack = List.copyOf(userStack);
    }
  }

  /** A place in memory. */
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
   * A place in the kernel is passed, as a rule a function is called: by thread 1 of process 1,
   * called init, on CPU 0, as root.
   *
   * @param place as in a script, but no pattern
   */
  public static Firing kprobe(String place) {
    return at(new AttachPoint.Kprobe(single(KernelSelector.parse(place))));
  }

  /** A kernel function returns; kretprobes see it however many calls they follow. */
  public static Firing kretprobe(String place) {
    return at(new AttachPoint.Kretprobe(single(KernelSelector.parseEntry(place))));
  }

  /** A kernel function whose types the target knows is called. */
  public static Firing fentry(String function) {
    return at(new AttachPoint.Fentry(single(KernelSelector.parseEntry(function))));
  }

  /** A kernel function whose types the target knows returns. */
  public static Firing fexit(String function) {
    return at(new AttachPoint.Fexit(single(KernelSelector.parseEntry(function))));
  }

  /**
   * A place in a program or library is passed, as a rule a function is called.
   *
   * @param binary as in the script
   * @param place as in the script, but no pattern
   */
  public static Firing uprobe(String binary, String place) {
    return at(new AttachPoint.Uprobe(single(UserSelector.parse(binary + ":" + place))));
  }

  /** A function of a program or library returns. */
  public static Firing uretprobe(String binary, String place) {
    return at(new AttachPoint.Uretprobe(single(UserSelector.parseEntry(binary + ":" + place))));
  }

  /**
   * A marked place in a program is passed.
   *
   * @param binary as in the script
   * @param provider as the mark has it; any, where the script names none
   */
  public static Firing usdt(String binary, String provider, String name) {
    return usdt(binary, provider, name, 0);
  }

  /**
   * A marked place in a program is passed, of a mark that is in several.
   *
   * @param place counted from 0, in the order in which the target was given them
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

  /** A tracepoint is passed, {@code category:event}. */
  public static Firing tracepoint(String name) {
    TracepointSelector place = TracepointSelector.parse(name);
    if (place instanceof TracepointSelector.Events) {
      throw new IllegalArgumentException("\"" + name + "\" is many tracepoints: fire one");
    }
    return at(new AttachPoint.Tracepoint(place));
  }

  /** A raw tracepoint is passed; its arguments are words. */
  public static Firing rawTracepoint(String event) {
    return at(new AttachPoint.RawTracepoint(event));
  }

  /** The kernel has counted enough of something: {@code page-faults:100} as in the script. */
  public static Firing software(String event) {
    return at(new AttachPoint.Software(PerfPeriod.parse(PerfCounter.Source.SOFTWARE, event)));
  }

  /** A processor has counted enough of something: {@code cycles} as in the script. */
  public static Firing hardware(String event) {
    return at(new AttachPoint.Hardware(PerfPeriod.parse(PerfCounter.Source.HARDWARE, event)));
  }

  /** Returns this with an argument of the function, counted from 0. */
  public Firing arg(int index, long value) {
    Map<Integer, Long> more = new HashMap<>(arguments);
    more.put(index, value);
    return new Firing(point, circumstances, more, texts, retval, fields, registers, memory, placed);
  }

  /**
   * Returns this with an argument of the function that points to a text in user memory.
   *
   * @param index counted from 0
   */
  public Firing arg(int index, String text) {
    Map<Integer, String> more = new HashMap<>(texts);
    more.put(index, text);
    return new Firing(
        point, circumstances, arguments, more, retval, fields, registers, memory, placed);
  }

  /** Returns this with what the function returns. */
  public Firing retval(long value) {
    return new Firing(
        point, circumstances, arguments, texts, value, fields, registers, memory, placed);
  }

  /**
   * Returns this with a value in a saved register; those not set are zero.
   *
   * @param name as the kernel names the members of struct pt_regs
   */
  public Firing register(String name, long value) {
    Map<String, Long> more = new HashMap<>(registers);
    more.put(name, value);
    return new Firing(point, circumstances, arguments, texts, retval, fields, more, memory, placed);
  }

  /** Returns this with a number in a field of the tracepoint's record; fields not set are zero. */
  public Firing field(String name, long value) {
    return withField(name, value);
  }

  /**
   * Returns this with a text in a field of the tracepoint's record, or in memory where that field
   * points.
   */
  public Firing field(String name, String text) {
    return withField(name, text);
  }

  /** Returns this with bytes in the kernel's memory; what is not set cannot be read. */
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

  /** Returns this done by a thread of that name. */
  public Firing comm(String comm) {
    Circumstances c = circumstances;
    return by(new Circumstances(c.pid, c.tid, c.uid, c.gid, comm, c.cpu, c.stack, c.userStack));
  }

  /** Returns this done by the first thread of that process. */
  public Firing pid(int pid) {
    Circumstances c = circumstances;
    return by(new Circumstances(pid, pid, c.uid, c.gid, c.comm, c.cpu, c.stack, c.userStack));
  }

  /** Returns this done by that thread of the process. */
  public Firing tid(int tid) {
    Circumstances c = circumstances;
    return by(new Circumstances(c.pid, tid, c.uid, c.gid, c.comm, c.cpu, c.stack, c.userStack));
  }

  /** Returns this done by that user and group. */
  public Firing user(int uid, int gid) {
    Circumstances c = circumstances;
    return by(new Circumstances(c.pid, c.tid, uid, gid, c.comm, c.cpu, c.stack, c.userStack));
  }

  /** Returns this done on that CPU, counted from 0. */
  public Firing cpu(int cpu) {
    Circumstances c = circumstances;
    return by(new Circumstances(c.pid, c.tid, c.uid, c.gid, c.comm, cpu, c.stack, c.userStack));
  }

  /**
   * Returns this in the midst of those calls: the addresses of a kernel stack, the innermost first.
   * There is none if not set.
   */
  public Firing stack(Long... addresses) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(
            c.pid, c.tid, c.uid, c.gid, c.comm, c.cpu, List.of(addresses), c.userStack));
  }

  /**
   * Returns this in the midst of those calls of the process's own: the addresses of its stack, the
   * innermost first. There is none if not set.
   */
  public Firing userStack(Long... addresses) {
    Circumstances c = circumstances;
    return by(
        new Circumstances(c.pid, c.tid, c.uid, c.gid, c.comm, c.cpu, c.stack, List.of(addresses)));
  }

  /**
   * Returns this with a text and its NUL in memory, for what a number in a field, argument or
   * register points to.
   *
   * @throws IllegalArgumentException for other memory than the kernel's and the process's
   */
  public Firing text(AddressSpace space, long address, String text) {
    if (space == AddressSpace.CONTEXT) {
      throw new IllegalArgumentException("texts are in KERNEL or USER memory, not in the context");
    }
    Map<Location, String> more = new HashMap<>(placed);
    more.put(new Location(space, address), text);
    return new Firing(
        point, circumstances, arguments, texts, retval, fields, registers, memory, more);
  }

  private Firing by(Circumstances others) {
    return new Firing(point, others, arguments, texts, retval, fields, registers, memory, placed);
  }

  /** Returns what happens. */
  public AttachPoint point() {
    return point;
  }

  /** Returns whether this happens at a site of a specification: kretprobes follow any call. */
  boolean isAt(AttachSpec spec, AttachSite site) {
    if (spec instanceof AttachSpec.AllSyscalls all) {
      // It is called for all system calls, and picks its own.
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

  /** A USDT probe may be in several places of one binary. */
  private static boolean isLocation(UsdtSelector place, UserLocation location) {
    return ((UsdtSelector.Location) place).address() == location.offset();
  }

  /** Returns who does it, and where. */
  public Circumstances circumstances() {
    return circumstances;
  }

  /** Returns the arguments that were set, by their number from 0. */
  public Map<Integer, Long> arguments() {
    return arguments;
  }

  /** Returns the texts that arguments point to, by their number from 0. */
  public Map<Integer, String> texts() {
    return texts;
  }

  /** Returns what the function returns. */
  public long returned() {
    return retval;
  }

  /** Returns the registers that were set by name, arguments aside. */
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

  /** Returns the texts in memory, those of fields aside. */
  public Map<Location, String> placedTexts() {
    return placed;
  }

  /** Returns the firing as one would write it, without what was not set. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(point.definition());
    out.append(" by ").append(circumstances.comm.isEmpty() ? "\"\"" : circumstances.comm);
    out.append(" pid ").append(circumstances.pid).append(" tid ").append(circumstances.tid);
    out.append(" uid ").append(circumstances.uid).append(" gid ").append(circumstances.gid);
    out.append(" cpu ").append(circumstances.cpu);
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
