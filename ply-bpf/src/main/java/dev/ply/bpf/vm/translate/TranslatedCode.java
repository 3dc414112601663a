package dev.ply.bpf.vm.translate;

/** The superclass of the classes that {@link Translator} defines, one for each program. */
abstract class TranslatedCode {
  /**
   * A flag beside the initialised registers where a program or a callback begins, whose result has
   * to be initialised. Functions that programs call may return without one.
   */
  static final int RESULT_REQUIRED = 1 << 11;

  /**
   * Calls the function that starts at a step, one of {@link BasicBlocks#functions}; returns r0.
   *
   * @param initialised bit set of the initialised registers
   */
  abstract long call(
      int start,
      long r1,
      long r2,
      long r3,
      long r4,
      long r5,
      TranslatedProgram program,
      int initialised);
}
