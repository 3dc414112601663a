package dev.ply.kernel;

import com.google.common.base.Suppliers;
import com.google.common.math.IntMath;
import dev.ply.btf.BtfTypes;
import dev.ply.btf.BtfTypes.Loads;
import dev.ply.btf.MalformedBtfException;
import dev.ply.btf.ModuleTypes;
import dev.ply.kernel.attach.RunningFeatures;
import dev.ply.kernel.symbol.FtraceFunctions;
import dev.ply.kernel.symbol.KallsymsSymbols;
import dev.ply.kernel.symbol.ProbeableFunctions;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.kernel.tracefs.TracefsCatalog;
import dev.ply.kernel.user.ProcessSymbols;
import dev.ply.kernel.user.UserBinaries;
import dev.ply.target.Architecture;
import dev.ply.target.AttachFeatures;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelTypes;
import dev.ply.target.KernelVersion;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserSymbols;
import dev.ply.target.WallClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The facts of the machine that this process runs on. */
public final class RunningKernel implements Target {
  /** Type information: of the kernel itself, and of each module that has some. */
  private static final Path BTF = Path.of("/sys/kernel/btf");

  private static final Path RELEASE = Path.of("/proc/sys/kernel/osrelease");
  private static final int LONGEST_NUMBER = 64;

  /** Of a thread's name, with its NUL (TASK_COMM_LEN). */
  private static final int NAME_SIZE = 16;

  private static final Path MAX_SAMPLE_RATE =
      Path.of("/proc/sys/kernel/perf_event_max_sample_rate");

  private final TracepointCatalog tracepoints = new TracefsCatalog(Tracefs::open);
  private final KallsymsSymbols symbols = new KallsymsSymbols();
  private final FunctionCatalog functions =
      new ProbeableFunctions(symbols, new FtraceFunctions(Tracefs::open), this::tracerFindsNames);
  private final AttachFeatures features =
      new RunningFeatures(
          KernelFeatures.ofThisKernel(),
          this::version,
          Architecture.named(System.getProperty("os.arch", "")));
  private final Supplier<KernelVersion> version = Suppliers.memoize(RunningKernel::readVersion);
  private final Supplier<KernelTypes> types = Suppliers.memoize(this::readTypes);
  private final Supplier<OptionalInt> threadName = Suppliers.memoize(() -> threadName(types()));
  private final Supplier<OptionalInt> slots = Suppliers.memoize(this::readSlots);
  private final Supplier<BinaryCatalog> binaries =
      Suppliers.memoize(() -> new UserBinaries(this::architecture));
  private final UserSymbols userSymbols = new ProcessSymbols();
  private final WallClock wallClock = new SystemClock();

  /**
   * Returns the architecture of this Java runtime.
   *
   * @throws UnreadableTargetException if it is not among those we know
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

  @Override
  public KernelTypes types() {
    return types.get();
  }

  /**
   * Links to many functions find names in the tracer's list. Where a clause has to be attached one
   * by one instead, kprobes take the first function of a name, whichever that is, before Linux 6.7.
   */
  private boolean tracerFindsNames() {
    return version().isAtLeast(6, 7) && features.reasonAgainst(Mechanism.KPROBE_MULTI).isEmpty();
  }

  private KernelTypes readTypes() {
    Loads loads = version().isAtLeast(6, 6) ? Loads.LENIENT : Loads.STRICT;
    try {
      BtfTypes kernel = BtfTypes.open(BTF.resolve("vmlinux"), loads);
      return new ModuleTypes(kernel, RunningKernel::moduleTypes);
    } catch (IOException | MalformedBtfException e) {
      // Kernels without, and kinds of records that a future one may have.
      return KernelTypes.NONE;
    }
  }

  private static Optional<byte[]> moduleTypes(String module) {
    try {
      return Optional.of(Files.readAllBytes(BTF.resolve(module)));
    } catch (IOException e) {
      // Before Linux 5.11, or the module is not loaded.
      return Optional.empty();
    }
  }

  @Override
  public AttachFeatures attachFeatures() {
    return features;
  }

  @Override
  public BinaryCatalog binaries() {
    return binaries.get();
  }

  @Override
  public UserSymbols userSymbols() {
    return userSymbols;
  }

  @Override
  public WallClock wallClock() {
    return wallClock;
  }

  @Override
  public boolean padsThreadNames() {
    KernelVersion version = version();
    return version.major() != 6 || version.minor() > 1;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Linux 5.17 began to pad names where they are set ({@code __set_task_comm} in fs/exec.c);
   * before, what a longer name left stood behind the NUL.
   */
  @Override
  public OptionalInt threadNameOffset() {
    return version().isAtLeast(5, 17) ? threadName.get() : OptionalInt.empty();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Since Linux 6.10 the number of the processor takes programs one instruction on x86-64.
   */
  @Override
  public OptionalInt processorSlots() {
    return slots.get();
  }

  private OptionalInt readSlots() {
    if (architecture() != Architecture.X86_64 || !version().isAtLeast(6, 10)) {
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

  /** Returns how many samples a second the kernel takes at most, where it tells. */
  static OptionalLong maxSampleRate() {
    // A number under /proc/sys is there for the first read only, and Files.readString begins with
    // one of a single byte.
    try (InputStream in = Files.newInputStream(MAX_SAMPLE_RATE)) {
      String number = new String(in.readNBytes(LONGEST_NUMBER), StandardCharsets.US_ASCII);
      return OptionalLong.of(Long.parseLong(number.strip()));
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns the kernel's version. */
  public KernelVersion version() {
    return version.get();
  }

  private static KernelVersion readVersion() {
    try {
      return KernelVersion.parse(Files.readString(RELEASE));
    } catch (IOException e) {
      throw new UnreadableTargetException(RELEASE + " cannot be read: is procfs mounted on /proc?");
    }
  }
}
