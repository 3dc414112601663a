package dev.ply.bpf.vm;

/**
 * Options of a virtual machine.
 *
 * @param stepLimit maximum number of instructions per run
 * @param randomSeed seed of bpf_get_prandom_u32
 * @param engine what executes programs
 */
public record VmOptions(long stepLimit, long randomSeed, Engine engine) {
  /** One million instructions, the verifier's limit; seed 0; interpreted. */
  public static final VmOptions DEFAULT = new VmOptions(1_000_000, 0);

  /**
   * Options of a machine that interprets programs.
   *
   * @param stepLimit maximum number of instructions per run
   * @param randomSeed seed of bpf_get_prandom_u32
   * @throws IllegalArgumentException if the limit is not positive
   */
  public VmOptions(long stepLimit, long randomSeed) {
    this(stepLimit, randomSeed, Engine.INTERPRETER);
  }

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if the limit is not positive
   */
  public VmOptions {
    if (stepLimit <= 0) {
      throw new IllegalArgumentException("the step limit must be positive, not " + stepLimit);
    }
  }

  /**
   * {@return these options with another step limit}
   *
   * @param stepLimit the maximum number of instructions of a run, positive
   */
  public VmOptions withStepLimit(long stepLimit) {
    return new VmOptions(stepLimit, randomSeed, engine);
  }

  /**
   * {@return these options with another seed}
   *
   * @param randomSeed of the helper get_prandom_u32
   */
  public VmOptions withRandomSeed(long randomSeed) {
    return new VmOptions(stepLimit, randomSeed, engine);
  }

  /**
   * {@return these options with another engine}
   *
   * @param engine what executes programs
   */
  public VmOptions withEngine(Engine engine) {
    return new VmOptions(stepLimit, randomSeed, engine);
  }
}
