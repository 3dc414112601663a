package dev.ply.bpf.vm;

/** A program ready to run on one machine. */
sealed interface Executable permits InterpretedProgram, TranslatedProgram {
  /**
   * Runs the program with {@code arguments} in r1 and up; returns r0.
   *
   * @throws VmFault if the program faults
   */
  long run(long... arguments);
}
