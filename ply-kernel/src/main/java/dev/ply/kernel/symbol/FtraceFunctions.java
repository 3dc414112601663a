package dev.ply.kernel.symbol;

import dev.ply.ir.Glob;
import dev.ply.kernel.error.Errno;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.kernel.tracefs.TracingInstance;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The list of functions that the kernel's function tracer can trace. All of it takes the kernel
 * longer to write than most traces take to start: for each page it begins to search at the first
 * function again. So where it can be told what is sought, it is: a filter of function names shows,
 * when it is read, what it lets through.
 */
public final class FtraceFunctions {
  private static final String ALL = "available_filter_functions";
  private static final String FILTER = "set_ftrace_filter";

  /** The name of the thread that removes an instance. */
  static final String REMOVAL = "ply-tracing-instance";

  /**
   * A filter needs an instance of the tracer, for which the kernel makes a buffer of 1.4 MiB for
   * each processor: for this many that is still quicker and little.
   */
  private static final int MOST_PROCESSORS = 16;

  private final Supplier<Tracefs> tracefs;
  private final IntSupplier processors;

  /**
   * The list of this machine's kernel.
   *
   * @param tracefs finds tracefs when the list is asked for
   */
  public FtraceFunctions(Supplier<Tracefs> tracefs) {
    this(tracefs, () -> CpuSet.online().count());
  }

  FtraceFunctions(Supplier<Tracefs> tracefs, IntSupplier processors) {
    this.tracefs = tracefs;
    this.processors = processors;
  }

  /**
   * Returns those lines of the list that have the functions that a pattern means, and possibly
   * others.
   *
   * @throws IOException if the kernel does not show it
   * @throws UnreadableTargetException if there is no tracefs
   */
  byte[] lines(Glob wanted) throws IOException {
    Optional<byte[]> some =
        processors.getAsInt() <= MOST_PROCESSORS ? filtered(wanted) : Optional.empty();
    return some.isPresent() ? some.get() : FunctionList.read(tracefs.get().file(ALL));
  }

  /** Returns whether no character of a text has another meaning in a filter. */
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

  /** Has the kernel search; empty if it cannot. */
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
        // The kernel waits until nothing can run in it any more, for which nobody here has to wait.
        new Thread(instance::close, REMOVAL).start();
      }
    } catch (KernelException e) {
      // What lets nothing through is no filter.
      return e.errno() == Errno.EINVAL ? Optional.of(new byte[0]) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
