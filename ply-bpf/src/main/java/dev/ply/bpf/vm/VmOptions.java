package dev.ply.bpf.vm;

/**
 * Options of a virtual machine.
 *
 * @param stepLimit maximum number of instructions per run
 * @param randomSeed seed of bpf_get_prandom_u32
 */
public record VmOptions(long stepLimit, long randomSeed) {
  /** One million instructions, the verifier's limit; seed 0. */
  public static final VmOptions DEFAULT = new VmOptions(1_000_000, 0);

  public VmOptions {
    if (stepLimit <= 0) {
      throw new IllegalArgumentException("the step limit must be positive, not " + stepLimit);
    }
  }

  /** Returns these options with another step limit. */
  public VmOptions withStepLimit(long stepLimit) {
    return new VmOptions(stepLimit, randomSeed);
  }

  /** Returns these options with another seed. */
  public VmOptions withRandomSeed(long randomSeed) {
    return new VmOptions(stepLimit, randomSeed);
  }
}
