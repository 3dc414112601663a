package dev.ply.kernel;

import com.google.common.base.Suppliers;
import com.google.common.math.IntMath;
import dev.ply.kernel.feature.KernelBtf;
import dev.ply.kernel.feature.KernelFeatures;
import dev.ply.kernel.feature.KernelRelease;
import dev.ply.kernel.feature.OwnPidNamespace;
import dev.ply.kernel.feature.RunningFeatures;
import dev.ply.kernel.process.KeptCapabilities;
import dev.ply.kernel.procfs.CgroupTree;
import dev.ply.kernel.procfs.ThreadNames;
import dev.ply.kernel.procfs.UserNames;
import dev.ply.kernel.symbol.FtraceFunctions;
import dev.ply.kernel.symbol.KallsymsSymbols;
import dev.ply.kernel.symbol.ProbeableFunctions;
import dev.ply.kernel.symbolize.SharedCode;
import dev.ply.kernel.symbolize.SymbolReader;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.kernel.tracefs.TracefsCatalog;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.user.UserBinaries;
import dev.ply.machine.Architecture;
import dev.ply.machine.KernelVersion;
import dev.ply.target.AttachFeatures;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.Cgroups;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelTypes;
import dev.ply.target.Mechanism;
import dev.ply.target.PidNamespace;
import dev.ply.target.Target;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserSymbols;
import dev.ply.target.WallClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The facts about the running machine. */
public final class RunningKernel implements Target {
  /** The size of a value of memory per CPU, in which keys are built (PCPU_MIN_UNIT_SIZE). */
  private static final int LONGEST_KEY = 32 << 10;

  /** The size of a thread's name including its NUL (TASK_COMM_LEN). */
  private static final int NAME_SIZE = 16;

  private final TracepointCatalog tracepoints = new TracefsCatalog(Tracefs::open);
  private final KallsymsSymbols symbols = new KallsymsSymbols();
  private final FunctionCatalog functions;
  private final AttachFeatures features;
  private final Supplier<KernelVersion> version;
  private final Supplier<KernelTypes> types = Suppliers.memoize(() -> KernelBtf.read(version()));
  private final Supplier<OptionalInt> threadName = Suppliers.memoize(() -> threadName(types()));
  private final Supplier<OptionalInt> slots = Suppliers.memoize(this::readSlots);
  private final Supplier<Optional<PidNamespace>> pidNamespace =
      Suppliers.memoize(OwnPidNamespace::unlessInitial);
  private final Supplier<BinaryCatalog> binaries;
  private final SharedCode code;
  private volatile Optional<KeptCapabilities> kept = Optional.empty();
  private final WallClock wallClock = new SystemClock();
  private final Supplier<Map<Long, String>> users = Suppliers.memoize(UserNames::read);
  private final Supplier<Cgroups> cgroups = Suppliers.memoize(CgroupTree::new);

  /** The machine as this process sees it. */
  public RunningKernel() {
    this(MemoryBudget.ofHeap());
  }

  /** The machine as this process sees it, with the memory of a tracer for symbols of processes. */
  RunningKernel(MemoryBudget memory) {
    this(OptionalInt.empty(), Optional.empty(), memory);
  }

  private RunningKernel(OptionalInt viewer, Optional<Path> traceable, MemoryBudget memory) {
    this(viewer, traceable, memory, Trials.MADE, Suppliers.memoize(KernelRelease::read));
  }

  /** Whether features that the version does not tell are tried, by loading a program. */
  private enum Trials {
    MADE,
    LEFT_OUT
  }

  private RunningKernel(
      OptionalInt viewer,
      Optional<Path> traceable,
      MemoryBudget memory,
      Trials trials,
      Supplier<KernelVersion> version) {
    this.version = version;
    Optional<Architecture> machine = Architecture.named(System.getProperty("os.arch", ""));
    features =
        trials == Trials.LEFT_OUT
            ? RunningFeatures.untried(this::version, machine)
            : new RunningFeatures(
                KernelFeatures.ofThisKernel(), this::version, machine, traceable.isPresent());
    FtraceFunctions list =
        traceable.map(FtraceFunctions::ofFile).orElseGet(() -> new FtraceFunctions(Tracefs::open));
    functions = new ProbeableFunctions(symbols, list, this::tracerFindsNames);
    FileMemory files = new FileMemory(memory);
    binaries = Suppliers.memoize(() -> new UserBinaries(this::architecture, viewer, files));
    code = new SharedCode(files);
  }

  /**
   * {@return the machine as another process sees it: absolute paths of programs and libraries are
   * below that process's root, library names are those it maps, and their probes count its hits
   * only}
   *
   * @param pid of a running process
   */
  public static RunningKernel seenBy(int pid) {
    return of(OptionalInt.of(pid), Optional.empty(), OptionalLong.empty());
  }

  /**
   * {@return the machine as files tell: nothing is loaded into the kernel, and what only a trial
   * would tell is assumed to be there}
   */
  public static RunningKernel untried() {
    return new RunningKernel(
        OptionalInt.empty(),
        Optional.empty(),
        MemoryBudget.ofHeap(),
        Trials.LEFT_OUT,
        Suppliers.memoize(KernelRelease::read));
  }

  /** Returns the machine with programs as for an older kernel, which newer ones take, too. */
  static RunningKernel as(KernelVersion version) {
    return new RunningKernel(
        OptionalInt.empty(), Optional.empty(), MemoryBudget.ofHeap(), Trials.MADE, () -> version);
  }

  /**
   * {@return the machine, possibly as another process sees it and with another list of functions}
   *
   * @param viewer the PID of the process, as for {@link #seenBy}
   * @param traceable a file with the functions that patterns can select, in the form of
   *     available_filter_functions
   * @param symbolBytes the heap for symbols of processes, as for {@link
   *     dev.ply.TraceOptions#withSymbolBytes}
   */
  public static RunningKernel of(
      OptionalInt viewer, Optional<Path> traceable, OptionalLong symbolBytes) {
    return new RunningKernel(viewer, traceable, MemoryBudget.of(symbolBytes));
  }

  /**
   * Returns the architecture of this Java runtime.
   *
   * @throws UnreadableTargetException if it is unsupported
   */
  @Override
  public Architecture architecture() {
    String name = System.getProperty("os.arch", "");
    return Architecture.named(name)
        .orElseThrow(
            () ->
                new UnreadableTargetException(
                    "the registers of the architecture \"" + name + "\" are unknown"));
  }

  @Override
  public TracepointCatalog tracepoints() {
    return tracepoints;
  }

  @Override
  public FunctionCatalog functions() {
    return functions;
  }

  @Override
  public KernelSymbols symbols() {
    return symbols;
  }

  /**
   * {@return what this kernel's tracefs says of the definitions of probe events that its files
   * take; empty where it cannot be read}
   */
  public String eventSyntax() {
    try {
      return Files.readString(Tracefs.open().file("README"));
    } catch (IOException | UnreadableTargetException e) {
      return "";
    }
  }

  @Override
  public KernelTypes types() {
    return types.get();
  }

  /**
   * kprobe.multi resolves names in ftrace's list. A single kprobe, before Linux 6.7, silently uses
   * the first function of a name.
   */
  private boolean tracerFindsNames() {
    return version().isAtLeast(6, 7) && features.reasonAgainst(Mechanism.KPROBE_MULTI).isEmpty();
  }

  @Override
  public AttachFeatures attachFeatures() {
    return features;
  }

  @Override
  public BinaryCatalog binaries() {
    return binaries.get();
  }

  /**
   * Sets what threads that read symbols of processes keep when this process becomes another user,
   * for traces that are opened from now on.
   *
   * @param capabilities that are kept
   */
  @SuppressWarnings("exports") // for the command
  public void keepCapabilities(KeptCapabilities capabilities) {
    kept = Optional.of(capabilities);
  }

  @Override
  public UserSymbols userSymbols() {
    return new SymbolReader(code, kept);
  }

  @Override
  public int cpus() {
    return CpuSet.possible().count();
  }

  @Override
  public Cgroups cgroups() {
    return cgroups.get();
  }

  @Override
  public Optional<String> userName(long id) {
    return Optional.ofNullable(users.get().get(id));
  }

  @Override
  public Optional<String> threadName(long id) {
    return ThreadNames.read(id);
  }

  @Override
  public WallClock wallClock() {
    return wallClock;
  }

  @Override
  public Optional<PidNamespace> pidNamespace() {
    return pidNamespace.get();
  }

  @Override
  public boolean fetchesAtomically() {
    return version().isAtLeast(5, 12);
  }

  @Override
  public boolean iteratesOverMaps() {
    return version().isAtLeast(5, 13);
  }

  @Override
  public int longestKey() {
    return version().isAtLeast(5, 11) ? LONGEST_KEY : 512;
  }

  @Override
  public boolean hasLoopHelper() {
    return version().isAtLeast(5, 17);
  }

  @Override
  public boolean padsThreadNames() {
    KernelVersion version = version();
    return version.major() != 6 || version.minor() > 1;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Since Linux 5.17, names are padded where they are set ({@code __set_task_comm} in
   * fs/exec.c); before, bytes of a longer previous name can follow the NUL.
   */
  @Override
  public OptionalInt threadNameOffset() {
    return version().isAtLeast(5, 17) ? threadName.get() : OptionalInt.empty();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Since Linux 6.10, reading the CPU number is one instruction on x86-64.
   */
  @Override
  public OptionalInt processorSlots() {
    return slots.get();
  }

  private OptionalInt readSlots() {
    if (architecture()
        .loadsProcessor()
        .filter(since -> version().compareTo(since) >= 0)
        .isEmpty()) {
      return OptionalInt.empty();
    }
    CpuSet possible = CpuSet.possible();
    int count = possible.number(possible.count() - 1) + 1;
    return OptionalInt.of(IntMath.ceilingPowerOfTwo(count));
  }

  private static OptionalInt threadName(KernelTypes types) {
    return types
        .struct("task_struct")
        .flatMap(task -> types.member(task, "comm"))
        .filter(name -> name.type().size() == NAME_SIZE && name.offset() % Long.BYTES == 0)
        .map(name -> OptionalInt.of(name.offset()))
        .orElse(OptionalInt.empty());
  }

  /** {@return the kernel's version} */
  public KernelVersion version() {
    return version.get();
  }
}
