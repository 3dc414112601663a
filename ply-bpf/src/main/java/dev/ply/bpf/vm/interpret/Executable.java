package dev.ply.bpf.vm.interpret;

import dev.ply.bpf.vm.memory.VmFault;

/** A program ready to run on one machine. */
public interface Executable {
  /**
   * Runs the program with {@code arguments} in r1 and up; returns r0.
   *
   * @throws VmFault if the program faults
   */
  long run(long... arguments);
}
