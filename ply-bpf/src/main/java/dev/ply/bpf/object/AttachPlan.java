package dev.ply.bpf.object;

import dev.ply.target.Mechanism;
import java.util.Optional;

/**
 * How a program is to be attached.
 *
 * @param reason why so, a sentence without its end
 * @param next what to attach instead where the kernel refuses
 */
public record AttachPlan(Mechanism mechanism, String reason, Optional<ProbeProgram> next) {
  /** The only way there is. */
  public static final AttachPlan DIRECT =
      new AttachPlan(Mechanism.DIRECT, "there is no other way", Optional.empty());
}
