package dev.ply.bpf.object;

import dev.ply.target.Mechanism;
import java.util.Optional;

/**
 * How a program is to be attached.
 *
 * @param binding the number by which the kernel knows what it binds the program to when that is
 *     loaded: a function, or the type of a tracepoint's probes
 * @param seesInstruction whether programs see which instruction they stand at: in the registers as
 *     a whole, or in the functions that are being called. If not, a function's calls may be probed
 *     at any that all of them come by with the same arguments
 * @param reason why so, a sentence without its end
 * @param next what to attach instead where the kernel refuses
 */
public record AttachPlan(
    Mechanism mechanism,
    Optional<Integer> binding,
    boolean seesInstruction,
    String reason,
    Optional<ProbeProgram> next) {
  /** The only way there is. */
  public static final AttachPlan DIRECT =
      new AttachPlan(
          Mechanism.DIRECT, Optional.empty(), true, "there is no other way", Optional.empty());
}
