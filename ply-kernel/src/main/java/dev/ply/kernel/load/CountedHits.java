package dev.ply.kernel.load;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.RunTimes;
import dev.ply.result.HitCount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The runs of programs, which the kernel counts while it measures how long programs run. Measuring
 * costs each run of each program of the system two readings of a clock.
 */
public final class CountedHits implements HitCount {
  private final Map<LoadedProgram, List<String>> programs;
  private final Map<LoadedProgram, Long> before = new LinkedHashMap<>();
  private final RunTimes measured;

  private CountedHits(Map<LoadedProgram, List<String>> programs, RunTimes measured) {
    this.programs = new LinkedHashMap<>(programs);
    this.measured = measured;
    programs.keySet().forEach(program -> before.put(program, program.runs(measured)));
  }

  /**
   * Begins to count; empty if the kernel does not let this process.
   *
   * @param programs with the probe sites of each
   */
  public static Optional<HitCount> begin(Map<LoadedProgram, List<String>> programs) {
    try {
      return Optional.of(new CountedHits(programs, RunTimes.measure()));
    } catch (KernelException e) {
      return Optional.empty();
    }
  }

  @Override
  public List<Hits> soFar() {
    List<Hits> all = new ArrayList<>();
    programs.forEach(
        (program, points) ->
            all.add(new Hits(points, program.runs(measured) - before.getOrDefault(program, 0L))));
    return all;
  }

  @Override
  public void close() {
    measured.close();
  }
}
