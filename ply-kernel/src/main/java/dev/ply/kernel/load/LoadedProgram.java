package dev.ply.kernel.load;

import dev.ply.bpf.encoding.EncodedProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.BtfObjects;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.HeldSignals;
import dev.ply.kernel.sys.MissedRuns;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.RunTimes;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.name.Errno;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A program in the kernel, which it owns. Attachments keep the program alive after closing. */
public final class LoadedProgram implements AutoCloseable {
  private static final int INSTRUCTION_BYTES = 8;
  private static final int SMALLEST_LOG = 64 * 1024;

  /** The maximum log size before Linux 5.19. */
  private static final int LARGEST_LOG = 16 * 1024 * 1024 - 1;

  /** Signals interrupt the verifier. */
  private static final int ATTEMPTS = 10;

  private final String name;
  private final ProgramType type;
  private final FileDescriptor descriptor;

  private LoadedProgram(String name, ProgramType type, FileDescriptor descriptor) {
    this.name = name;
    this.type = type;
    this.descriptor = descriptor;
  }

  /**
   * Loads a program under the GPL, which tracing helpers require.
   *
   * @param name truncated to 15 characters, with underscores for characters other than letters,
   *     digits, dots and underscores
   * @param instructions in the kernel's encoding, 8 bytes each
   * @throws VerifierRejection if the kernel's verifier rejects the program
   * @throws KernelException if the kernel refuses for another reason
   */
  public static LoadedProgram load(String name, ProgramType type, byte[] instructions) {
    return load(name, type, AttachTarget.ANY, instructions);
  }

  /**
   * Loads a program under the GPL, bound to its attach target.
   *
   * @see #load(String, ProgramType, byte[])
   */
  public static LoadedProgram load(
      String name, ProgramType type, AttachTarget target, byte[] instructions) {
    return load(name, type, target, instructions, Set.of(), "GPL");
  }

  /**
   * Loads a program under the GPL, bound to its attach target.
   *
   * @see #load(String, ProgramType, byte[])
   */
  public static LoadedProgram load(
      String name, ProgramType type, AttachTarget target, EncodedProgram code) {
    return load(name, type, target, code.bytes(), code.globals(), "GPL");
  }

  /**
   * Loads a program.
   *
   * @param license {@code GPL} for access to all helpers
   * @see #load(String, ProgramType, byte[])
   */
  public static LoadedProgram load(
      String name, ProgramType type, byte[] instructions, String license) {
    return load(name, type, AttachTarget.ANY, instructions, Set.of(), license);
  }

  private static LoadedProgram load(
      String name,
      ProgramType type,
      AttachTarget target,
      byte[] instructions,
      Set<Integer> globals,
      String license) {
    if (instructions.length == 0 || instructions.length % INSTRUCTION_BYTES != 0) {
      throw new IllegalArgumentException(
          "program \""
              + name
              + "\" has "
              + instructions.length
              + " bytes, not a multiple of "
              + INSTRUCTION_BYTES);
    }
    NativeMemory code = NativeMemory.of(instructions);
    int count = instructions.length / INSTRUCTION_BYTES;
    String object = "program \"" + name + "\"";
    Optional<FileDescriptor> types = target.module().map(BtfObjects::openModule);
    Optional<FunctionTypes> functions = FunctionTypes.load(instructions, globals);
    Supplier<BpfAttr> attr =
        () -> {
          BpfAttr load =
              BpfAttr.programLoad(name, type, code, count, license)
                  .attachTo(
                      target.type(), target.binding(), types.map(FileDescriptor::number).orElse(0));
          return functions.map(all -> all.addTo(load)).orElse(load);
        };
    try {
      return new LoadedProgram(name, type, tryLoad(attr.get(), object));
    } catch (KernelException refused) {
      return explain(refused, name, type, attr);
    } finally {
      functions.ifPresent(FunctionTypes::close);
      types.ifPresent(FileDescriptor::close);
    }
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns the program type. */
  public ProgramType type() {
    return type;
  }

  /** Returns the file descriptor. */
  public int descriptor() {
    return descriptor.number();
  }

  /**
   * Runs a raw tracepoint program once on this thread. Requires Linux 5.10.
   *
   * @param arguments the context, which bounds the program's loads
   * @return the program's result
   */
  public int testRun(long... arguments) {
    BpfAttr attr = BpfAttr.testRun(descriptor.number(), arguments);
    SystemCalls.bpf(BpfCommand.PROG_TEST_RUN, attr, "program \"" + name + "\"");
    return attr.testRunResult();
  }

  /**
   * Runs a raw tracepoint program several times on this thread, and returns how long it ran in
   * total. Requires Linux 5.10.
   */
  public Duration measure(int times) {
    try (RunTimes measured = RunTimes.measure()) {
      long before = measured.ofProgram(descriptor.number());
      for (int i = 0; i < times; i++) {
        int unused = testRun();
      }
      return Duration.ofNanos(measured.ofProgram(descriptor.number()) - before);
    }
  }

  /**
   * Runs an iterator once for each of its objects, on this thread, and once more after the last.
   * Requires Linux 5.8.
   */
  public void iterate() {
    try (FileDescriptor link = iteratorLink();
        FileDescriptor objects =
            SystemCalls.openBpf(
                BpfCommand.ITER_CREATE, BpfAttr.iterator(link.number()), iterator())) {
      SystemCalls.readAll(objects);
    }
  }

  /**
   * Checks that an iterator can be run, without running it.
   *
   * @throws KernelException if the kernel refuses
   */
  public void requireIterable() {
    iteratorLink().close();
  }

  private FileDescriptor iteratorLink() {
    return SystemCalls.openBpf(
        BpfCommand.LINK_CREATE,
        BpfAttr.iteratorLink(descriptor.number(), type.attachType()),
        iterator());
  }

  private String iterator() {
    return "iterator \"" + name + "\"";
  }

  /**
   * Returns the number of times that the kernel skipped the program because it, or for kprobes and
   * tracepoints any program, was already running on that CPU. Counted since Linux 5.12 for
   * trampolines, 6.1 for raw tracepoints, 6.7 otherwise; 0 before.
   */
  public long missedRuns() {
    return MissedRuns.ofProgram(descriptor.number());
  }

  /** Returns how often the program has run while programs were measured; 0 once closed. */
  long runs(RunTimes measured) {
    return descriptor.isClosed() ? 0 : measured.runsOfProgram(descriptor.number());
  }

  /** Returns how long the program has run while programs were measured, in ns; 0 once closed. */
  long time(RunTimes measured) {
    return descriptor.isClosed() ? 0 : measured.ofProgram(descriptor.number());
  }

  /** Closes the descriptor. */
  @Override
  public void close() {
    descriptor.close();
  }

  @Override
  public String toString() {
    return "program \"" + name + "\"";
  }

  /** Loads the program again with a log large enough for the reason. */
  private static LoadedProgram explain(
      KernelException refused, String name, ProgramType type, Supplier<BpfAttr> attr) {
    String object = "program \"" + name + "\"";
    KernelException reason = refused;
    for (long size = SMALLEST_LOG; ; size *= 4) {
      NativeMemory log = NativeMemory.allocate((int) Math.min(size, LARGEST_LOG));
      try {
        return new LoadedProgram(name, type, tryLoad(attr.get().logInto(log), object));
      } catch (KernelException again) {
        reason = again;
      }
      if (reason.errno() != Errno.ENOSPC || size >= LARGEST_LOG) {
        String text = text(log);
        throw text.isBlank() ? reason : new VerifierRejection(name, reason, text);
      }
    }
  }

  private static FileDescriptor tryLoad(BpfAttr attr, String object) {
    try {
      return SystemCalls.openBpf(BpfCommand.PROG_LOAD, attr, object);
    } catch (KernelException e) {
      if (e.errno() != Errno.EAGAIN) {
        throw e;
      }
    }
    return HeldSignals.ofTimers(() -> loadAgain(attr, object));
  }

  private static FileDescriptor loadAgain(BpfAttr attr, String object) {
    for (int attempt = 1; ; attempt++) {
      try {
        return SystemCalls.openBpf(BpfCommand.PROG_LOAD, attr, object);
      } catch (KernelException e) {
        if (e.errno() != Errno.EAGAIN || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static String text(NativeMemory log) {
    int length = 0;
    while (length < log.size() && log.bytes().get(length) != 0) {
      length++;
    }
    byte[] text = new byte[length];
    log.bytes().get(0, text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
