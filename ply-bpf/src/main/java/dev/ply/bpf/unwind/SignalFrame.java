package dev.ply.bpf.unwind;

/**
 * Where the kernel's signal frame (struct rt_sigframe) has the interrupted registers, in bytes from
 * the stack pointer at the trampoline that handlers return to.
 *
 * @param link of the link register, or rdi on x86-64
 */
public record SignalFrame(int pc, int sp, int fp, int link) {
  private static final SignalFrame X86_64 = new SignalFrame(168, 160, 120, 104);
  private static final SignalFrame AARCH64 = new SignalFrame(568, 560, 544, 552);

  /**
   * Returns the layout of aarch64, whose calls leave the return address in a register, or x86-64.
   */
  public static SignalFrame of(boolean hasLink) {
    return hasLink ? AARCH64 : X86_64;
  }
}
