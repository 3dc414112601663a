package dev.ply.cli.option;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandOption;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import org.apache.commons.cli.CommandLine;

/** Options for the sizes of maps, buffer and stacks. */
public final class Sizes {
  /** The number of keys of maps. */
  public static final CommandOption MAP_ENTRIES =
      CommandOption.valued(
          "",
          "map-entries",
          Argument.of("N", Argument.Kind.NUMBER),
          "the maximum number of keys of a map (4k); units are K, M and G");

  /** The size of the ring buffer. */
  public static final CommandOption BUFFER =
      CommandOption.valued(
          "",
          "buffer",
          Argument.of("BYTES", Argument.Kind.NUMBER),
          "the size of the buffer for events (32M)");

  /** The number of functions of stack traces. */
  public static final CommandOption STACK_DEPTH =
      CommandOption.valued(
          "",
          "stack-depth",
          Argument.of("N", Argument.Kind.NUMBER),
          "the maximum number of frames of a stack trace (32)");

  /** The heap for symbols of processes. */
  public static final CommandOption SYMBOL_MEMORY =
      CommandOption.valued(
          "",
          "symbol-memory",
          Argument.of("BYTES", Argument.Kind.NUMBER),
          "the maximum memory for symbols of programs (a fifth of the heap)");

  /** The kernel's memory for unwind tables. */
  public static final CommandOption UNWIND_MEMORY =
      CommandOption.valued(
          "",
          "unwind-memory",
          Argument.of("BYTES", Argument.Kind.NUMBER),
          "the maximum memory for unwind tables of user stacks (256M); 0: frame pointers only");

  /** Leaves Java runtimes alone. */
  public static final CommandOption NO_PERF_MAPS =
      CommandOption.flag(
          "",
          "no-perf-maps",
          "do not make Java runtimes write the names of their methods, /tmp/perf-PID.map");

  /** The handling of probes that the machine lacks. */
  public static final CommandOption MISSING_PROBES =
      CommandOption.valued(
          "",
          "missing-probes",
          Argument.choice("WHAT", List.of("error", "warn", "ignore")),
          "if this machine lacks a probe: error, skip it with a warning (warn), or skip it"
              + " (ignore)");

  private static final int RADIX = 10;

  /** The memory of the C library's symbols. */
  private static final long LEAST_SYMBOL_MEMORY = 1 << 20;

  private Sizes() {}

  /** Parses them from a command line. */
  public static CompilerOptions of(CommandLine line) throws UsageException {
    CompilerOptions sizes = CompilerOptions.DEFAULT;
    sizes = with(line, MAP_ENTRIES, sizes, sizes::withMapEntries);
    sizes = with(line, BUFFER, sizes, sizes::withRingBufferBytes);
    sizes = with(line, STACK_DEPTH, sizes, sizes::withStackDepth);
    Optional<String> unwinding = OptionParser.value(line, UNWIND_MEMORY.name());
    return unwinding.isEmpty() ? sizes : sizes.withUnwindBytes(unwindBytes(unwinding.get()));
  }

  private static long unwindBytes(String given) throws UsageException {
    try {
      long bytes = number(given);
      if (bytes >= 0) {
        return bytes;
      }
    } catch (NumberFormatException | ArithmeticException e) {
      // Said below.
    }
    throw new UsageException(
        "--unwind-memory takes a number of bytes such as 64M, or 0, not \"" + given + "\"");
  }

  /** Returns the memory for symbols of processes in bytes; empty if there is no such option. */
  public static OptionalLong symbolMemory(CommandLine line) throws UsageException {
    Optional<String> given = OptionParser.value(line, SYMBOL_MEMORY.name());
    if (given.isEmpty()) {
      return OptionalLong.empty();
    }
    long heap = Runtime.getRuntime().maxMemory();
    try {
      long bytes = number(given.get());
      if (bytes < LEAST_SYMBOL_MEMORY) {
        throw new UsageException("--symbol-memory is at least 1M, not \"" + given.get() + "\"");
      }
      if (bytes > heap / 2) {
        throw new UsageException(
            "--symbol-memory is at most half of the heap, "
                + (heap >> 20)
                + "M: set PLY_HEAP to raise it");
      }
      return OptionalLong.of(bytes);
    } catch (NumberFormatException | ArithmeticException e) {
      throw new UsageException(
          "--symbol-memory takes a number of bytes such as 64M or 1G, not \"" + given.get() + "\"");
    }
  }

  /** Returns the settings that options make. */
  public static Configuration settings(CommandLine line) throws UsageException {
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    if (line.hasOption(NO_PERF_MAPS.name())) {
      values.put(Setting.WRITE_PERF_MAPS, "false");
    }
    Optional<String> missing = OptionParser.value(line, MISSING_PROBES.name());
    if (missing.isPresent()) {
      if (!Setting.MISSING_PROBES.kind().accepts(missing.get())) {
        throw new UsageException(
            "--missing-probes takes "
                + Setting.MISSING_PROBES.kind().description()
                + ", not \""
                + missing.get()
                + "\"");
      }
      values.put(Setting.MISSING_PROBES, missing.get());
    }
    return values.isEmpty() ? Configuration.NONE : new Configuration(values);
  }

  private static CompilerOptions with(
      CommandLine line,
      CommandOption option,
      CompilerOptions sizes,
      IntFunction<CompilerOptions> change)
      throws UsageException {
    Optional<String> given = OptionParser.value(line, option.name());
    if (given.isEmpty()) {
      return sizes;
    }
    String text = given.get();
    try {
      return change.apply(Math.toIntExact(number(text)));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new UsageException(
          "--" + option.name() + " takes a number such as 4096, 64K or 1M, not \"" + text + "\"");
    } catch (IllegalArgumentException e) {
      throw new UsageException("--" + option.name() + ": " + e.getMessage());
    }
  }

  private static long number(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    int shift = upper.endsWith("K") ? 10 : upper.endsWith("M") ? 20 : upper.endsWith("G") ? 30 : 0;
    String digits = shift == 0 ? upper : upper.substring(0, upper.length() - 1);
    return Math.multiplyExact(Long.parseLong(digits, RADIX), 1L << shift);
  }
}
