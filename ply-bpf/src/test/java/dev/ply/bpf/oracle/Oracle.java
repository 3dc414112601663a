package dev.ply.bpf.oracle;

/** Something that can tell what a scenario comes to. */
@FunctionalInterface
public interface Oracle {
  /**
   * Plays a scenario.
   *
   * @throws dev.ply.diagnostic.CompilationException if the script is wrong
   */
  Outcome run(Scenario scenario);
}
