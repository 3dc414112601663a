package dev.ply.kernel.symbol;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.kernel.tracefs.TracingInstance;
import dev.ply.name.Errno;
import dev.ply.selector.Glob;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The kernel's list of functions that ftrace can trace (available_filter_functions). Reading all of
 * it takes longer than most startups, since the kernel starts each page at the first function
 * again. So the kernel searches where possible: a name filter, when read, lists the functions it
 * accepts.
 */
public final class FtraceFunctions {
  private static final String ALL = "available_filter_functions";
  private static final String FILTER = "set_ftrace_filter";

  /** The name of the thread that removes an instance. */
  static final String REMOVAL = "ply-tracing-instance";

  /**
   * A filter needs a tracing instance, for which the kernel allocates 1.4 MiB per CPU: up to this
   * many it is faster and small.
   */
  private static final int MOST_PROCESSORS = 16;

  private final Supplier<Tracefs> tracefs;
  private final IntSupplier processors;
  private final Optional<Path> file;

  /**
   * Creates the list of this machine's kernel.
   *
   * @param tracefs opens tracefs on demand
   */
  public FtraceFunctions(Supplier<Tracefs> tracefs) {
    this(tracefs, () -> CpuSet.online().count());
  }

  FtraceFunctions(Supplier<Tracefs> tracefs, IntSupplier processors) {
    this(tracefs, processors, Optional.empty());
  }

  private FtraceFunctions(Supplier<Tracefs> tracefs, IntSupplier processors, Optional<Path> file) {
    this.tracefs = tracefs;
    this.processors = processors;
    this.file = file;
  }

  /** Returns a list of the same form in another file. */
  public static FtraceFunctions ofFile(Path file) {
    return new FtraceFunctions(Tracefs::open, () -> 0, Optional.of(file));
  }

  /**
   * Returns the lines of the list with functions that match a pattern, and possibly others.
   *
   * @throws IOException if the list cannot be read
   * @throws UnreadableTargetException without tracefs
   */
  byte[] lines(Glob wanted) throws IOException {
    if (file.isPresent()) {
      return FunctionList.read(file.get());
    }
    Optional<byte[]> some =
        processors.getAsInt() <= MOST_PROCESSORS ? filtered(wanted) : Optional.empty();
    return some.isPresent() ? some.get() : FunctionList.read(tracefs.get().file(ALL));
  }

  /** Returns whether a string has no special characters of a filter. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      boolean isLetter = (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z');
      if (!isLetter && !(each >= '0' && each <= '9') && each != '_' && each != '.') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Lets the kernel search; empty if it cannot. */
  Optional<byte[]> filtered(Glob wanted) {
    if (!isPlain(wanted.literal())) {
      return Optional.empty();
    }
    String filter =
        wanted.prefix().isEmpty() ? "*" + wanted.literal() + "*" : wanted.prefix() + "*";
    try {
      TracingInstance instance = TracingInstance.create(tracefs.get());
      try {
        Path file = instance.file(FILTER);
        SystemCalls.append(file, filter + "\n", FILTER + " of \"" + filter + "\"");
        return Optional.of(FunctionList.read(file));
      } finally {
        // Removing the instance waits for a grace period, for which nobody has to wait here.
        new Thread(instance::close, REMOVAL).start();
      }
    } catch (KernelException e) {
      // A filter that matches nothing is dropped by the kernel.
      return e.errno() == Errno.EINVAL ? Optional.of(new byte[0]) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
