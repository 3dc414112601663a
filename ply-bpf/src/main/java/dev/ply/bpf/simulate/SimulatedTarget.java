package dev.ply.bpf.simulate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedMap;
import dev.ply.bpf.vm.Task;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.UserSelector;
import dev.ply.target.Architecture;
import dev.ply.target.AttachFeatures;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.Cgroups;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelTypes;
import dev.ply.target.PidNamespace;
import dev.ply.target.Target;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.TracepointFormat;
import dev.ply.target.TracepointFormatParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A fixed machine: x86-64 unless another architecture is chosen, with a few tracepoints and
 * functions, to which more can be added. Immutable.
 *
 * <p>Its tracepoints have the record formats of Linux 6.18 on x86-64.
 */
public final class SimulatedTarget implements Target {
  private static final List<String> BUILT_IN =
      List.of(
          "raw_syscalls/sys_enter",
          "raw_syscalls/sys_exit",
          "sched/sched_process_exec",
          "sched/sched_process_exit",
          "sched/sched_process_fork",
          "sched/sched_switch",
          "sched/sched_wakeup",
          "syscalls/sys_enter_openat",
          "syscalls/sys_enter_write",
          "syscalls/sys_exit_read");

  private static final int CPUS = 4;

  private static final List<String> USUAL_FUNCTIONS =
      List.of("vfs_fsync", "vfs_open", "vfs_read", "vfs_readv", "vfs_write", "vfs_writev");

  private static final Comparator<KernelSelector.Function> BY_NAME =
      Comparator.comparing(KernelSelector.Function::name);

  private final Architecture architecture;
  private final Map<String, TracepointFormat> tracepoints;
  private final List<KernelSelector.Function> functions;
  private final ImmutableSortedMap<Long, String> symbols;
  private final AttachFeatures features;
  private final KernelTypes types;
  private final ImmutableList<UserSelector.Function> userFunctions;
  private final ImmutableListMultimap<String, String> marks;
  private final Threads threads;

  /** How programs find what they tell of the running thread and its CPU. */
  private record Threads(
      OptionalInt nameOffset, OptionalInt processorSlots, Optional<PidNamespace> pidNamespace) {}

  private SimulatedTarget(
      Architecture architecture,
      Map<String, TracepointFormat> tracepoints,
      List<KernelSelector.Function> functions,
      ImmutableSortedMap<Long, String> symbols,
      AttachFeatures features,
      KernelTypes types,
      ImmutableList<UserSelector.Function> userFunctions,
      ImmutableListMultimap<String, String> marks,
      Threads threads) {
    this.threads = threads;
    this.userFunctions = userFunctions;
    this.marks = marks;
    this.architecture = architecture;
    this.tracepoints = tracepoints;
    this.functions = List.copyOf(functions);
    this.symbols = symbols;
    this.features = features;
    this.types = types;
  }

  /** Creates a target with the default tracepoints. */
  public static SimulatedTarget create() {
    Map<String, TracepointFormat> formats = new LinkedHashMap<>();
    for (String name : BUILT_IN) {
      int slash = name.indexOf('/');
      add(formats, name.substring(0, slash), resource(name + ".format"));
    }
    return new SimulatedTarget(
        Architecture.X86_64,
        formats,
        USUAL_FUNCTIONS.stream().map(KernelSelector.Function::new).toList(),
        ImmutableSortedMap.of(),
        AttachFeatures.NONE,
        KernelTypes.NONE,
        ImmutableList.of(),
        ImmutableListMultimap.of(),
        new Threads(OptionalInt.empty(), OptionalInt.empty(), Optional.empty()));
  }

  /** Returns this target with a kernel's types; there are none by default. */
  public SimulatedTarget withTypes(KernelTypes known) {
    return new SimulatedTarget(
        architecture,
        tracepoints,
        functions,
        symbols,
        features,
        known,
        userFunctions,
        marks,
        threads);
  }

  /**
   * Returns this target with thread names that programs load from task_struct; by default, they
   * call a helper.
   *
   * @param offset of the name in {@code task_struct}, {@link Task#NAME_OFFSET} for programs that
   *     the virtual machine runs
   */
  public SimulatedTarget withThreadNameAt(int offset) {
    return new SimulatedTarget(
        architecture,
        tracepoints,
        functions,
        symbols,
        features,
        types,
        userFunctions,
        marks,
        new Threads(OptionalInt.of(offset), threads.processorSlots, threads.pidNamespace));
  }

  /**
   * Returns this target with keyed aggregations in slotted maps; by default, they are in per-CPU
   * maps.
   *
   * @param slots a power of two, greater than the highest CPU number of any firing
   */
  public SimulatedTarget withProcessorSlots(int slots) {
    return new SimulatedTarget(
        architecture,
        tracepoints,
        functions,
        symbols,
        features,
        types,
        userFunctions,
        marks,
        new Threads(threads.nameOffset, OptionalInt.of(slots), threads.pidNamespace));
  }

  /**
   * Returns this target with a tracer that runs in a PID namespace of its own, whose IDs {@code
   * pid} and {@code tid} are: those of {@link Firing#inPidNamespace}.
   */
  public SimulatedTarget withPidNamespace(PidNamespace namespace) {
    return new SimulatedTarget(
        architecture,
        tracepoints,
        functions,
        symbols,
        features,
        types,
        userFunctions,
        marks,
        new Threads(threads.nameOffset, threads.processorSlots, Optional.of(namespace)));
  }

  /**
   * Returns this target with additional mechanisms; by default, it has those of every kernel, so
   * that programs see records and registers.
   */
  public SimulatedTarget withAttachFeatures(AttachFeatures offered) {
    return new SimulatedTarget(
        architecture,
        tracepoints,
        functions,
        symbols,
        offered,
        types,
        userFunctions,
        marks,
        threads);
  }

  /**
   * Returns this target with another address of a USDT probe and its arguments; by default, a USDT
   * probe has one address with six arguments in the argument registers of functions.
   *
   * @param mark as in a script: {@code binary:provider:name}
   * @param arguments as in USDT notes: {@code -4@%esi 8@16(%rbp)}
   */
  public SimulatedTarget withMark(String mark, String arguments) {
    return new SimulatedTarget(
        architecture,
        tracepoints,
        functions,
        symbols,
        features,
        types,
        userFunctions,
        ImmutableListMultimap.<String, String>builder().putAll(marks).put(mark, arguments).build(),
        threads);
  }

  /**
   * Returns this target with functions of a program or library for patterns to match; any function
   * can be probed by its full name.
   *
   * @param binary as scripts write it
   */
  public SimulatedTarget withUserFunctions(String binary, String... names) {
    ImmutableList.Builder<UserSelector.Function> more =
        ImmutableList.<UserSelector.Function>builder().addAll(userFunctions);
    for (String name : names) {
      more.add(new UserSelector.Function(binary, name));
    }
    return new SimulatedTarget(
        architecture,
        tracepoints,
        functions,
        symbols,
        features,
        types,
        more.build(),
        marks,
        threads);
  }

  /**
   * Returns this target with functions for patterns to match; any function can be probed by its
   * full name.
   *
   * @param names {@code function} or {@code module:function}
   */
  public SimulatedTarget withFunctions(String... names) {
    List<KernelSelector.Function> more = new ArrayList<>(functions);
    for (String name : names) {
      more.add((KernelSelector.Function) KernelSelector.parseEntry(name));
    }
    return new SimulatedTarget(
        architecture, tracepoints, more, symbols, features, types, userFunctions, marks, threads);
  }

  /**
   * Returns this target with the address of a function, which extends to the next one.
   *
   * @param address of its first instruction
   */
  public SimulatedTarget withFunction(String name, long address) {
    ImmutableSortedMap.Builder<Long, String> more =
        ImmutableSortedMap.orderedBy(Long::compareUnsigned);
    return new SimulatedTarget(
        architecture,
        tracepoints,
        functions,
        more.putAll(symbols).put(address, name).buildOrThrow(),
        features,
        types,
        userFunctions,
        marks,
        threads);
  }

  /**
   * Returns this target with another architecture, which must be little-endian as the virtual
   * machine is.
   *
   * @throws IllegalArgumentException for a big-endian one
   */
  public SimulatedTarget withArchitecture(Architecture other) {
    if (other.byteOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException(
          "the virtual machine is little-endian, " + other.canonicalName() + " is not");
    }
    return new SimulatedTarget(
        other, tracepoints, functions, symbols, features, types, userFunctions, marks, threads);
  }

  /**
   * Returns this target with a tracepoint more, described by the text of the kernel's {@code
   * format} file.
   */
  public SimulatedTarget withTracepoint(String category, String format) {
    Map<String, TracepointFormat> formats = new LinkedHashMap<>(tracepoints);
    add(formats, category, format);
    return new SimulatedTarget(
        architecture, formats, functions, symbols, features, types, userFunctions, marks, threads);
  }

  private static void add(Map<String, TracepointFormat> formats, String category, String text) {
    TracepointFormat format = TracepointFormatParser.parse(category, text);
    formats.put(category + ":" + format.event(), format);
  }

  private static String resource(String name) {
    try (InputStream in = SimulatedTarget.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the tracepoint description " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Architecture architecture() {
    return architecture;
  }

  @Override
  public TracepointCatalog tracepoints() {
    return new TracepointCatalog() {
      @Override
      public Optional<TracepointFormat> find(String category, String event) {
        return Optional.ofNullable(tracepoints.get(category + ":" + event));
      }

      @Override
      public Stream<String> names() {
        return tracepoints.keySet().stream();
      }
    };
  }

  @Override
  public KernelTypes types() {
    return types;
  }

  @Override
  public AttachFeatures attachFeatures() {
    return features;
  }

  @Override
  public OptionalInt processorSlots() {
    return threads.processorSlots;
  }

  @Override
  public int cpus() {
    return CPUS;
  }

  @Override
  public Cgroups cgroups() {
    return new SimulatedCgroups();
  }

  @Override
  public Optional<PidNamespace> pidNamespace() {
    return threads.pidNamespace;
  }

  @Override
  public OptionalInt threadNameOffset() {
    return threads.nameOffset;
  }

  @Override
  public FunctionCatalog functions() {
    return pattern ->
        new FunctionCatalog.Selection(
            functions.stream().filter(pattern::matches).sorted(BY_NAME).toList(), 0, 0);
  }

  /** Returns programs and libraries that have any function a script names. */
  @Override
  public BinaryCatalog binaries() {
    return new SimulatedBinaries(userFunctions, marks);
  }

  @Override
  public KernelSymbols symbols() {
    return new KernelSymbols() {
      @Override
      public Optional<Symbol> at(long address) {
        return Optional.ofNullable(symbols.floorEntry(address))
            .map(entry -> new Symbol(entry.getValue(), address - entry.getKey()));
      }

      @Override
      public Stream<String> names() {
        return symbols.values().stream();
      }

      @Override
      public List<Long> addresses(String name) {
        return symbols.entrySet().stream()
            .filter(entry -> entry.getValue().equals(name))
            .map(Map.Entry::getKey)
            .toList();
      }
    };
  }
}
