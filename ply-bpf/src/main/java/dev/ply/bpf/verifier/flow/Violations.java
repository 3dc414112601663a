package dev.ply.bpf.verifier.flow;

import java.util.List;

/** Receives what violates the rules, by instruction. */
public interface Violations {
  /**
   * Records violations of one instruction, unless it already has some.
   *
   * @param state registers and stack before the instruction; empty if they do not matter
   */
  void report(int index, List<String> messages, String state);
}
