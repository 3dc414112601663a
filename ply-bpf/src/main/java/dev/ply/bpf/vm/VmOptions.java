package dev.ply.bpf.vm;

/**
 * The settings of a virtual machine.
 *
 * @param stepLimit how many instructions one run may execute
 * @param randomSeed what the random numbers of programs start from
 */
public record VmOptions(long stepLimit, long randomSeed) {
  /** One million instructions, as many as the kernel's verifier follows; seed 0. */
  public static final VmOptions DEFAULT = new VmOptions(1_000_000, 0);

  public VmOptions {
    if (stepLimit <= 0) {
      throw new IllegalArgumentException("the step limit is above zero, not " + stepLimit);
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
