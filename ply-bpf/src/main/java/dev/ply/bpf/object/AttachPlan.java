package dev.ply.bpf.object;

import dev.ply.target.Mechanism;
import java.util.Optional;

/**
 * How a program is to be attached.
 *
 * @param binding the number by which the kernel knows what it binds the program to when that is
 *     loaded: a function, or the type of a tracepoint's probes
 * @param reason why so, a sentence without its end
 * @param next what to attach instead where the kernel refuses
 */
public record AttachPlan(
    Mechanism mechanism, Optional<Integer> binding, String reason, Optional<ProbeProgram> next) {
  /** The only way there is. */
  public static final AttachPlan DIRECT =
      new AttachPlan(Mechanism.DIRECT, Optional.empty(), "there is no other way", Optional.empty());
}
