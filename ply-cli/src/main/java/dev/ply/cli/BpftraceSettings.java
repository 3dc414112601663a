package dev.ply.cli;

import dev.ply.bpf.codegen.CompilerOptions;
import java.util.Map;
import java.util.function.IntFunction;

/** bpftrace's environment variables for the sizes of maps and buffers. */
final class BpftraceSettings {
  private static final String MAP_KEYS = "BPFTRACE_MAX_MAP_KEYS";
  private static final String BUFFER_PAGES = "BPFTRACE_PERF_RB_PAGES";
  private static final int PAGE = 4096;

  private BpftraceSettings() {}

  /** Reads them; the defaults are ply's. */
  static CompilerOptions of(Map<String, String> environment) throws UsageException {
    CompilerOptions sizes = CompilerOptions.DEFAULT;
    sizes = with(environment, MAP_KEYS, sizes, sizes::withMapEntries);
    return with(environment, BUFFER_PAGES, sizes, pages(sizes));
  }

  private static IntFunction<CompilerOptions> pages(CompilerOptions sizes) {
    return pages -> sizes.withRingBufferBytes(Math.multiplyExact(pages, PAGE));
  }

  private static CompilerOptions with(
      Map<String, String> environment,
      String name,
      CompilerOptions sizes,
      IntFunction<CompilerOptions> change)
      throws UsageException {
    String value = environment.get(name);
    if (value == null) {
      return sizes;
    }
    try {
      return change.apply(Integer.parseInt(value));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new UsageException(name + " is a number such as 4096, not \"" + value + "\"");
    } catch (IllegalArgumentException e) {
      throw new UsageException(name + ": " + e.getMessage());
    }
  }
}
