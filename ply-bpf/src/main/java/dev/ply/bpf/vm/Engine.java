package dev.ply.bpf.vm;

/** The execution engines of a virtual machine. Both behave the same, faults included. */
public enum Engine {
  /** A loop over the instructions: ready at once. */
  INTERPRETER,
  /**
   * A translator to JVM bytecode: many times faster once the JVM has compiled that, which takes
   * some ten thousand instructions. Needs {@code org.ow2.asm:asm} on the class path or as a module.
   *
   * <p>A program with a function of more than about 600 instructions is interpreted: HotSpot does
   * not compile methods of more than 8,000 bytes.
   */
  TRANSLATOR
}
