package dev.ply.bpf.oracle;

import dev.ply.bpf.simulate.Circumstances;
import java.util.List;

/**
 * Who runs what nothing fires.
 *
 * @param own who runs BEGIN and END
 * @param clock what the clock's probes interrupt
 */
public record World(Circumstances own, Circumstances clock) {
  /** The simulated machine's. */
  public static final World SIMULATED =
      new World(
          new Circumstances(2, 2, 0, 0, "ply", 0, List.of(), List.of()),
          new Circumstances(0, 0, 0, 0, "swapper/0", 0, List.of(), List.of()));
}
