package dev.ply.kernel.jit;

import dev.ply.kernel.mapping.FileMapping;
import dev.ply.kernel.mapping.ProcessImage;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.target.KernelSymbols.Symbol;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The compiled methods of Java runtimes that ended before they could be asked, which are known by
 * recorded mappings only: from the perf map that one leaves with -XX:+DumpPerfMapAtExit. For one
 * thread.
 */
public final class EndedRuntimes {
  private static final String LIBRARY = "/libjvm.so";

  /** The UID of no process: the files of root alone are read. */
  private static final int NOBODY = -1;

  /** Processes counted, so that a machine's whole life is not kept. */
  private static final int MOST = 1 << 10;

  private final Path temporary;
  private final ReadBudget budget;
  private final MissingNames missing;
  private final long since;
  private final Map<Integer, Optional<PerfMap>> byProcess = new HashMap<>();

  /**
   * Creates the runtimes that end from now on.
   *
   * @param temporary where they leave perf maps
   */
  public EndedRuntimes(Path temporary, ReadBudget budget, MissingNames missing) {
    this.temporary = temporary;
    this.budget = budget;
    this.missing = missing;
    Instant now = Instant.now();
    this.since = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  /** Returns whether a process of these images was a Java runtime. */
  public static boolean isJava(List<ProcessImage> images) {
    return images.stream()
        .flatMap(image -> image.mappings().stream())
        .map(FileMapping::name)
        .anyMatch(name -> name.endsWith(LIBRARY));
  }

  /**
   * Returns the function that contains an address of a runtime.
   *
   * @param user whose process it was, if known
   */
  public Optional<Symbol> at(int process, OptionalInt user, long address) {
    Optional<PerfMap> known = byProcess.get(process);
    if (known == null) {
      known =
          PerfMap.read(
              temporary.resolve("perf-" + process + ".map"), user.orElse(NOBODY), since, budget);
      if (byProcess.size() < MOST) {
        byProcess.put(process, known);
      }
    }
    if (known.isEmpty()) {
      missing.add(process, MissingNames.Reason.ENDED);
    }
    return known.flatMap(map -> map.at(address));
  }
}
