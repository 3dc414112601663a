package dev.ply.bpf.oracle;

import dev.ply.bpf.simulate.Firing;
import java.util.List;

/**
 * Who runs what nothing fires.
 *
 * @param own who runs BEGIN and END
 * @param clock what the clock's probes interrupt
 */
public record World(Firing.Circumstances own, Firing.Circumstances clock) {
  /** The simulated machine's. */
  public static final World SIMULATED =
      new World(
          new Firing.Circumstances(2, 2, 0, 0, "ply", 0, List.of(), List.of()),
          new Firing.Circumstances(0, 0, 0, 0, "swapper/0", 0, List.of(), List.of()));
}
