package dev.ply.bpf.simulate;

import com.google.common.collect.ImmutableListMultimap;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.machine.Architecture;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.UserSelector;
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
import dev.ply.target.UserSymbols;
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
import java.util.TreeMap;
import java.util.function.Consumer;
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
          "syscalls/sys_enter_execve",
          "syscalls/sys_enter_openat",
          "syscalls/sys_enter_read",
          "syscalls/sys_enter_write",
          "syscalls/sys_exit_read");

  private static final int CPUS = 4;

  private static final List<String> USUAL_FUNCTIONS =
      List.of("vfs_fsync", "vfs_open", "vfs_read", "vfs_readv", "vfs_write", "vfs_writev");

  private static final Comparator<KernelSelector.Function> BY_NAME =
      Comparator.comparing(KernelSelector.Function::name);

  private final State state;

  /** The facts of a target: changed on a copy, before a target refers to it. */
  private static final class State {
    private Architecture architecture = Architecture.X86_64;
    private final Map<String, TracepointFormat> tracepoints;
    private final List<KernelSelector.Function> functions;
    private final TreeMap<Long, String> symbols;
    private AttachFeatures features = AttachFeatures.NONE;
    private KernelTypes types = KernelTypes.NONE;
    private UserSymbols userSymbols = UserSymbols.NONE;
    private final List<UserSelector.Function> userFunctions;
    private ImmutableListMultimap<String, String> marks = ImmutableListMultimap.of();
    private OptionalInt nameOffset = OptionalInt.empty();
    private OptionalInt processorSlots = OptionalInt.empty();
    private Optional<PidNamespace> pidNamespace = Optional.empty();
    private boolean hasLoopHelper = true;

    State() {
      tracepoints = new LinkedHashMap<>();
      functions = new ArrayList<>();
      symbols = new TreeMap<>(Long::compareUnsigned);
      userFunctions = new ArrayList<>();
    }

    State(State other) {
      architecture = other.architecture;
      tracepoints = new LinkedHashMap<>(other.tracepoints);
      functions = new ArrayList<>(other.functions);
      symbols = new TreeMap<>(other.symbols);
      features = other.features;
      types = other.types;
      userSymbols = other.userSymbols;
      userFunctions = new ArrayList<>(other.userFunctions);
      marks = other.marks;
      nameOffset = other.nameOffset;
      processorSlots = other.processorSlots;
      pidNamespace = other.pidNamespace;
      hasLoopHelper = other.hasLoopHelper;
    }
  }

  private SimulatedTarget(State state) {
    this.state = state;
  }

  private SimulatedTarget with(Consumer<State> change) {
    State copy = new State(state);
    change.accept(copy);
    return new SimulatedTarget(copy);
  }

  /**
   * Creates a target with the default tracepoints.
   *
   * @return the target, of x86-64 and without types
   */
  public static SimulatedTarget create() {
    State state = new State();
    for (String name : BUILT_IN) {
      int slash = name.indexOf('/');
      add(state, name.substring(0, slash), resource(name + ".format"));
    }
    USUAL_FUNCTIONS.forEach(name -> state.functions.add(new KernelSelector.Function(name)));
    return new SimulatedTarget(state);
  }

  /**
   * {@return this target with a kernel's types; there are none by default}
   *
   * @param known the types, such as those of a BTF file
   */
  public SimulatedTarget withTypes(KernelTypes known) {
    return with(s -> s.types = known);
  }

  /**
   * {@return this target with thread names that programs load from task_struct; by default, they
   * call a helper}
   *
   * @param offset of the name in {@code task_struct}, {@link Task#NAME_OFFSET} for programs that
   *     the virtual machine runs
   */
  public SimulatedTarget withThreadNameAt(int offset) {
    if (offset < 0 || offset % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "programs load names of threads from a multiple of 8, not " + offset);
    }
    return with(s -> s.nameOffset = OptionalInt.of(offset));
  }

  /** {@return this target as a kernel without the helper that repeats a function, before 5.17} */
  public SimulatedTarget withoutLoopHelper() {
    return with(s -> s.hasLoopHelper = false);
  }

  /**
   * {@return this target with keyed aggregations in slotted maps; by default, they are in per-CPU
   * maps}
   *
   * @param slots a power of two, greater than the highest CPU number of any firing
   */
  public SimulatedTarget withProcessorSlots(int slots) {
    if (Integer.bitCount(slots) != 1 || slots < 0) {
      throw new IllegalArgumentException("slots are a power of two, not " + slots);
    }
    return with(s -> s.processorSlots = OptionalInt.of(slots));
  }

  /**
   * {@return this target with a tracer that runs in a PID namespace of its own, whose IDs {@code
   * pid} and {@code tid} are: those of {@link Firing#inPidNamespace}}
   *
   * @param namespace of the tracer
   */
  public SimulatedTarget withPidNamespace(PidNamespace namespace) {
    return with(s -> s.pidNamespace = Optional.of(namespace));
  }

  /**
   * {@return this target with additional mechanisms; by default, it has those of every kernel, so
   * that programs see records and registers}
   *
   * @param offered what can be attached, and by what
   */
  public SimulatedTarget withAttachFeatures(AttachFeatures offered) {
    return with(s -> s.features = offered);
  }

  /**
   * {@return this target with another address of a USDT probe and its arguments; by default, a USDT
   * probe has one address with six arguments in the argument registers of functions}
   *
   * @param mark as in a script: {@code binary:provider:name}
   * @param arguments as in USDT notes: {@code -4@%esi 8@16(%rbp)}
   */
  public SimulatedTarget withMark(String mark, String arguments) {
    if (!mark.matches("[^:]+:[^:]+:[^:]+")) {
      throw new IllegalArgumentException(
          "a USDT probe is binary:provider:name, not \"" + mark + "\"");
    }
    return with(
        s ->
            s.marks =
                ImmutableListMultimap.<String, String>builder()
                    .putAll(s.marks)
                    .put(mark, arguments)
                    .build());
  }

  /**
   * {@return this target with functions of a program or library for patterns to match; any function
   * can be probed by its full name}
   *
   * @param binary as scripts write it
   * @param names as in the ELF symbol table
   */
  public SimulatedTarget withUserFunctions(String binary, String... names) {
    if (binary.isEmpty()) {
      throw new IllegalArgumentException("a program or library has a name");
    }
    return with(
        s -> {
          for (String name : names) {
            s.userFunctions.add(new UserSelector.Function(binary, name));
          }
        });
  }

  /**
   * {@return this target with functions for patterns to match; any function can be probed by its
   * full name}
   *
   * @param names {@code function} or {@code module:function}
   */
  public SimulatedTarget withFunctions(String... names) {
    return with(
        s -> {
          for (String name : names) {
            s.functions.add(function(name));
          }
        });
  }

  /**
   * {@return this target with the address of a function, which extends to the next one}
   *
   * @param name as in kallsyms
   * @param address of its first instruction
   */
  public SimulatedTarget withFunction(String name, long address) {
    KernelSelector.Function unused = function(name);
    return with(s -> s.symbols.put(address, name));
  }

  /**
   * {@return this target with symbols of its processes; there are none by default}
   *
   * @param known for all traces
   */
  public SimulatedTarget withUserSymbols(UserSymbols known) {
    return with(s -> s.userSymbols = known);
  }

  /**
   * {@return this target with another architecture, which must be little-endian as the virtual
   * machine is}
   *
   * @param other little-endian
   * @throws IllegalArgumentException for a big-endian one
   */
  public SimulatedTarget withArchitecture(Architecture other) {
    if (other.byteOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException(
          "the virtual machine is little-endian, " + other.canonicalName() + " is not");
    }
    return with(s -> s.architecture = other);
  }

  /**
   * {@return this target with a tracepoint more, described by the text of the kernel's {@code
   * format} file}
   *
   * @param category the directory of tracefs
   * @param format the content of the file
   */
  public SimulatedTarget withTracepoint(String category, String format) {
    return with(s -> add(s, category, format));
  }

  private static KernelSelector.Function function(String name) {
    if (KernelSelector.parseEntry(name) instanceof KernelSelector.Function function) {
      return function;
    }
    throw new IllegalArgumentException("\"" + name + "\" is not a function name");
  }

  private static void add(State state, String category, String text) {
    TracepointFormat format = TracepointFormatParser.parse(category, text);
    state.tracepoints.put(category + ":" + format.event(), format);
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
    return state.architecture;
  }

  @Override
  public TracepointCatalog tracepoints() {
    return new TracepointCatalog() {
      @Override
      public Optional<TracepointFormat> find(String category, String event) {
        return Optional.ofNullable(state.tracepoints.get(category + ":" + event));
      }

      @Override
      public Stream<String> names() {
        return state.tracepoints.keySet().stream();
      }
    };
  }

  @Override
  public KernelTypes types() {
    return state.types;
  }

  @Override
  public AttachFeatures attachFeatures() {
    return state.features;
  }

  @Override
  public OptionalInt processorSlots() {
    return state.processorSlots;
  }

  @Override
  public boolean iteratesOverMaps() {
    return true;
  }

  @Override
  public int longestKey() {
    return 32 << 10;
  }

  @Override
  public boolean hasLoopHelper() {
    return state.hasLoopHelper;
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
    return state.pidNamespace;
  }

  @Override
  public OptionalInt threadNameOffset() {
    return state.nameOffset;
  }

  @Override
  public FunctionCatalog functions() {
    return pattern ->
        new FunctionCatalog.Selection(
            state.functions.stream().filter(pattern::matches).sorted(BY_NAME).toList(), 0, 0);
  }

  /** Returns programs and libraries that have any function a script names. */
  @Override
  public BinaryCatalog binaries() {
    return new SimulatedBinaries(state.userFunctions, state.marks);
  }

  @Override
  public UserSymbols userSymbols() {
    return state.userSymbols;
  }

  @Override
  public KernelSymbols symbols() {
    return new KernelSymbols() {
      @Override
      public Optional<Symbol> at(long address) {
        return Optional.ofNullable(state.symbols.floorEntry(address))
            .map(entry -> new Symbol(entry.getValue(), address - entry.getKey()));
      }

      @Override
      public Optional<Range> rangeAt(long address) {
        Optional<Long> next = Optional.ofNullable(state.symbols.higherKey(address));
        return at(address)
            .map(
                symbol -> {
                  long start = address - symbol.offset();
                  long size = next.map(end -> end - start).orElse(0L);
                  return new Range(symbol.name(), "", symbol.offset(), size);
                });
      }

      @Override
      public Stream<String> names() {
        return state.symbols.values().stream();
      }

      @Override
      public List<Long> addresses(String name) {
        return state.symbols.entrySet().stream()
            .filter(entry -> entry.getValue().equals(name))
            .map(Map.Entry::getKey)
            .toList();
      }
    };
  }
}
