package dev.ply.bpf.table;

import dev.ply.bpf.decode.Stacks;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.StackTraces;
import dev.ply.bpf.unwind.UnwindEnd;
import dev.ply.table.Datum;
import dev.ply.table.Datum.MissingStack.Side;
import dev.ply.table.StackMode;
import dev.ply.target.KernelSymbols;
import dev.ply.target.UserSymbols;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Reads stack traces by id, each once while a map has it: ids are not reused during a session.
 * Thread-safe if the machine is.
 */
public final class StackReader implements Stacks {
  private final Machine machine;
  private final UserSymbols symbols;
  private final KernelSymbols kernel;
  private final BpfObject object;

  /** The number of traces that are kept without a look at what refers to them. */
  private static final int FEW = 1 << 10;

  /** The number of addresses that are shared by the traces that have them. */
  private static final int MOST_SHARED = 1 << 16;

  private final Map<Integer, List<Long>> known = new ConcurrentHashMap<>();

  /** The kernel stacks that stand for all of the same functions: the first of them. */
  private final Map<Object, Datum> kernelFunctions = new ConcurrentHashMap<>();

  /** The same of user stacks. */
  private final Map<Object, Datum> userFunctions = new ConcurrentHashMap<>();

  /** The stacks that stand for kernel stacks, by their ids. */
  private final Map<Integer, Datum> standing = new ConcurrentHashMap<>();

  private final Map<Long, Datum> knownOfProcesses = new ConcurrentHashMap<>();
  private final Map<Long, Long> addresses = new ConcurrentHashMap<>();
  private final Map<Long, Frame> unnamed = new ConcurrentHashMap<>();
  private volatile int enough = FEW;

  /** Reads the stack maps of an object from a machine that has loaded them. */
  public StackReader(Machine machine, BpfObject object, UserSymbols symbols, KernelSymbols kernel) {
    this.machine = machine;
    this.symbols = symbols;
    this.kernel = kernel;
    this.object = object;
  }

  @Override
  public Datum read(long number, IntType type) {
    return type.format().isUserStack() ? ofProcess(number) : ofKernel(number);
  }

  private Datum ofKernel(long number) {
    int trace = (int) number;
    Optional<StackTraces> shape = shape(trace, false);
    if (shape.isEmpty()) {
      return new Datum.MissingStack(0, trace, Side.KERNEL);
    }
    List<Long> addresses = known.computeIfAbsent(trace, unread -> addresses(shape.get(), unread));
    if (addresses.isEmpty()) {
      return new Datum.MissingStack(0, trace, Side.KERNEL);
    }
    Datum.Stack stack = new Datum.Stack(trace, addresses, shape.get().mode());
    return stack.mode() == StackMode.FUNCTIONS
        ? standing.computeIfAbsent(
            trace,
            unread ->
                kernelFunctions.computeIfAbsent(
                    StackFunctions.of(stack, kernel),
                    unused -> StackFunctions.begins(stack, kernel)))
        : stack;
  }

  /** A stack whose symbols are not available in time is read again. */
  private Datum ofProcess(long number) {
    Datum seen = knownOfProcesses.get(number);
    if (seen != null) {
      return seen;
    }
    int trace = (int) number;
    Optional<StackTraces> shape = shape(trace, true);
    List<Long> addresses = shape.map(traces -> addresses(traces, trace)).orElse(List.of());
    // The PID is in the upper half.
    int process = (int) (number >>> 32);
    if (addresses.isEmpty()) {
      return new Datum.MissingStack(process, trace, Side.USER);
    }
    StackMode mode = shape.orElseThrow().mode();
    Optional<UnwindEnd> cut = UnwindEnd.ofMarker(addresses.get(addresses.size() - 1));
    List<Long> known = cut.isPresent() ? addresses.subList(0, addresses.size() - 1) : addresses;
    Optional<List<Frame>> frames = symbols.frames(process, known);
    List<Frame> named = new ArrayList<>(frames.orElseGet(() -> unnamed(known)));
    cut.ifPresent(end -> named.add(CutFrame.after(named, end)));
    Datum.UserStack exact = new Datum.UserStack(process, trace, List.copyOf(named), mode);
    if (frames.isEmpty()) {
      return exact;
    }
    Datum stack =
        mode == StackMode.FUNCTIONS
            ? userFunctions.computeIfAbsent(
                StackFunctions.of(exact), unused -> StackFunctions.begins(exact))
            : exact;
    knownOfProcesses.put(number, stack);
    return stack;
  }

  /** An impossible id was stored by the script itself. */
  private Optional<StackTraces> shape(int trace, boolean ofUser) {
    int number = StackTraces.numberOf(trace);
    return object.stacks().stream()
        .filter(traces -> traces.isOfUser() == ofUser && traces.number() == number)
        .findFirst();
  }

  private List<Long> addresses(StackTraces traces, int trace) {
    return object
        .map(traces.map())
        .flatMap(map -> machine.value(map, StackTraces.idOf(trace)))
        .map(this::addresses)
        .orElse(List.of());
  }

  private List<Long> addresses(ByteBuffer trace) {
    long frames = trace.getLong() / Long.BYTES;
    return LongStream.generate(trace::getLong)
        .limit(frames)
        .mapToObj(address -> shared(addresses, address, Long::valueOf))
        .toList();
  }

  private List<Frame> unnamed(List<Long> trace) {
    return trace.stream().map(address -> shared(unnamed, address, Frame::new)).toList();
  }

  private static <V> V shared(Map<Long, V> all, Long address, Function<Long, V> made) {
    if (all.size() >= MOST_SHARED) {
      all.clear();
    }
    return all.computeIfAbsent(address, made);
  }

  /** Returns whether there are processes some of whose symbols end with them. */
  boolean hasRuntimes() {
    return !symbols.runtimes().isEmpty();
  }

  /**
   * Reads those of some user stacks whose symbols end with their process, while it runs; returns
   * whether there was one that had not been read.
   */
  boolean keepNames(Set<Long> user) {
    Set<Integer> runtimes = symbols.runtimes();
    boolean hasNew = false;
    for (long number : user) {
      if (runtimes.contains((int) (number >>> 32)) && !knownOfProcesses.containsKey(number)) {
        Datum unused = ofProcess(number);
        hasNew |= knownOfProcesses.containsKey(number);
      }
    }
    return hasNew;
  }

  /**
   * Returns whether so many traces are known that it is worth a look at which are still in use: as
   * many again as were last time.
   */
  boolean hasMany() {
    return known.size() + knownOfProcesses.size() > enough;
  }

  /** Keeps the stacks that still stand for one, by identity: comparing them takes longer. */
  private static void retain(Map<Object, Datum> functions, Collection<Datum> used) {
    Set<Datum> kept = Collections.newSetFromMap(new IdentityHashMap<>());
    kept.addAll(used);
    functions.values().removeIf(stack -> !kept.contains(stack));
  }

  /**
   * Forgets the traces that no map has, and the processes of which none has any.
   *
   * @param kernel the ids of kernel stacks in use
   * @param user the numbers of user stacks in use
   */
  void forgetAllBut(Set<Long> kernel, Set<Long> user) {
    known.keySet().removeIf(trace -> !kernel.contains((long) trace));
    knownOfProcesses.keySet().retainAll(user);
    standing.keySet().retainAll(known.keySet());
    retain(kernelFunctions, standing.values());
    retain(userFunctions, knownOfProcesses.values());
    addresses.clear();
    unnamed.clear();
    enough = FEW + 2 * (known.size() + knownOfProcesses.size());
    symbols.forgetAllBut(
        user.stream().map(number -> (int) (number >>> 32)).collect(Collectors.toSet()));
  }
}
