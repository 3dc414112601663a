package dev.ply.kernel.feature;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.load.AttachTarget;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.sys.PerfRequest;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.name.Errno;
import dev.ply.selector.WatchSelector;
import dev.ply.target.KernelTypes;
import dev.ply.target.UnreadableTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Probes the running kernel for a feature, without lasting effect. */
final class TryFeature {
  private static final Path UNITS = Path.of("/sys/bus/event_source/devices");
  private static final Path BTF = Path.of("/sys/kernel/btf/vmlinux");
  private static final int NO_DESCRIPTOR = -1;

  /** A function of every kernel that is called once, at shutdown. */
  private static final String TRACED = "kernel_halt";

  /** The opcodes of {@code return 0}. */
  private static final int[] NOTHING = {0xb7, 0x95};

  private TryFeature() {}

  /** Returns the kernel's refusal, empty if the feature is available. */
  static Optional<Errno> apply(Feature feature) {
    return switch (feature) {
      case KPROBES -> file(UNITS.resolve("kprobe"));
      case UPROBES -> file(UNITS.resolve("uprobe"));
      case TRACEPOINTS -> file(Tracefs.open().file("events", "sched"));
      case SYSCALL_TRACEPOINTS -> file(Tracefs.open().file("events", "syscalls"));
      case RAW_TRACEPOINTS -> program(ProgramType.RAW_TRACEPOINT, TryFeature::loaded);
      case BTF -> file(BTF);
      case RING_BUFFER -> map(new BpfMap("feature", MapType.RINGBUF, 0, 0, 4096), map -> none());
      case HASH_BATCHES -> batches(MapType.PERCPU_HASH);
      case ARRAY_BATCHES -> batches(MapType.PERCPU_ARRAY);
      case TAKING_ENTRIES ->
          map(new BpfMap("feature", MapType.PERCPU_HASH, 4, 8, 1), TryFeature::take);
      case PERF_LINKS -> program(ProgramType.KPROBE, TryFeature::link);
      case TRAMPOLINES -> trampoline().map(TryFeature::unlessAllowed);
      case KPROBE_MULTI ->
          program(ProgramType.KPROBE, AttachTarget.KPROBE_MULTI, TryFeature::multiLink);
      case BREAKPOINTS -> breakpoint();
    };
  }

  private static Optional<Errno> none() {
    return Optional.empty();
  }

  private static Optional<Errno> file(Path file) {
    return Files.exists(file) ? none() : Optional.of(Errno.ENOENT);
  }

  /** A trial with a descriptor. */
  @FunctionalInterface
  private interface Trial {
    Optional<Errno> run(int descriptor);
  }

  private static Optional<Errno> map(BpfMap map, Trial trial) {
    try (LoadedMap loaded = LoadedMap.create(map)) {
      return trial.run(loaded.descriptor());
    } catch (KernelException e) {
      return Optional.of(e.errno());
    }
  }

  private static Optional<Errno> program(ProgramType type, Trial trial) {
    return program(type, AttachTarget.ANY, trial);
  }

  private static Optional<Errno> program(ProgramType type, AttachTarget target, Trial trial) {
    ByteBuffer code = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.nativeOrder());
    for (int i = 0; i < NOTHING.length; i++) {
      code.put(i * Long.BYTES, (byte) NOTHING[i]);
    }
    try (LoadedProgram loaded = LoadedProgram.load("feature", type, target, code.array())) {
      return trial.run(loaded.descriptor());
    } catch (KernelException e) {
      return Optional.of(e.errno());
    } catch (VerifierRejection e) {
      return Optional.of(e.errno());
    }
  }

  private static Optional<Errno> loaded(int program) {
    return none();
  }

  private static Optional<Errno> batches(MapType type) {
    return map(
        new BpfMap("feature", type, 4, 8, 1),
        map -> {
          NativeMemory cursor = NativeMemory.allocate(Integer.BYTES);
          NativeMemory keys = NativeMemory.allocate(Integer.BYTES);
          NativeMemory values = NativeMemory.allocate(Long.BYTES * CpuSet.possible().count());
          BpfAttr attr = BpfAttr.firstBatch(map, cursor, keys, values).batchCount(1);
          return unlessUnsupported(SystemCalls.tryBpf(BpfCommand.MAP_LOOKUP_BATCH, attr));
        });
  }

  private static Optional<Errno> take(int map) {
    NativeMemory key = NativeMemory.allocate(Integer.BYTES);
    NativeMemory values = NativeMemory.allocate(Long.BYTES * CpuSet.possible().count());
    BpfAttr attr = BpfAttr.element(map, key, values);
    return unlessUnsupported(SystemCalls.tryBpf(BpfCommand.MAP_LOOKUP_AND_DELETE_ELEM, attr));
  }

  /** A kernel with such links complains about the missing event; others fail earlier. */
  private static Optional<Errno> link(int program) {
    Errno errno =
        SystemCalls.tryBpf(BpfCommand.LINK_CREATE, BpfAttr.perfLink(program, NO_DESCRIPTOR, 0));
    return errno == Errno.EBADF ? none() : Optional.of(errno);
  }

  /** Kernels without trampolines refuse them like a lack of privileges. */
  private static Errno unlessAllowed(Errno errno) {
    return errno == Errno.EPERM && CapabilitySet.ofThisProcess().has(Capability.CAP_SYS_ADMIN)
        ? Errno.EOPNOTSUPP
        : errno;
  }

  /** Attaches an empty program to a function of every kernel. */
  private static Optional<Errno> trampoline() {
    Optional<KernelTypes.Function> function = KernelBtf.read(KernelRelease.read()).function(TRACED);
    if (function.isEmpty()) {
      return Optional.of(Errno.ENOENT);
    }
    AttachTarget target =
        new AttachTarget(ProgramType.FENTRY.attachType(), function.get().id(), Optional.empty());
    return program(
        ProgramType.FENTRY,
        target,
        program -> {
          SystemCalls.openBpf(BpfCommand.RAW_TRACEPOINT_OPEN, BpfAttr.bound(program), "trampoline")
              .close();
          return none();
        });
  }

  /**
   * A kernel with such links complains about the unreadable names; others fail earlier. An unknown
   * name would make it search all functions.
   */
  private static Optional<Errno> multiLink(int program) {
    Errno errno =
        SystemCalls.tryBpf(BpfCommand.LINK_CREATE, BpfAttr.unreadableKprobeMulti(program));
    return errno == Errno.EFAULT ? none() : Optional.of(errno);
  }

  /**
   * Writes to memory of this process that a breakpoint watches. Some machines accept breakpoints
   * that never fire, which only the event's count shows.
   */
  private static Optional<Errno> breakpoint() {
    NativeMemory watched = NativeMemory.allocate(Integer.BYTES);
    PerfEventAttr attr =
        PerfEventAttr.watchpoint(watched.address(), Integer.BYTES, WatchSelector.Access.WRITE);
    try (FileDescriptor event = SystemCalls.openPerfEventOfThisThread(attr, "a breakpoint")) {
      SystemCalls.ioctl(event, PerfRequest.ENABLE, 0, "enabling a breakpoint");
      watched.bytes().putInt(0, 1);
      if (SystemCalls.count(event) == 0) {
        throw new UnreadableTargetException("hardware breakpoints do not fire on this machine");
      }
      return none();
    } catch (KernelException e) {
      // Those of other tracers and debuggers may be all that there are.
      return e.errno() == Errno.ENOSPC || e.errno() == Errno.EBUSY
          ? none()
          : Optional.of(e.errno());
    }
  }

  private static Optional<Errno> unlessUnsupported(Errno errno) {
    return errno.isUnsupported() ? Optional.of(errno) : none();
  }
}
