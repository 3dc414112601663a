package dev.ply.kernel.load;

import dev.ply.bpf.object.AttachSpec;
import java.util.Optional;

/**
 * What the kernel wants to know at loading of where a program will be attached.
 *
 * @param type the expected attach type (enum bpf_attach_type), 0 where the type of the program says
 *     it all
 * @param binding the number by which the kernel's type information knows what the program is bound
 *     to: a function, or the type of a tracepoint's probes; 0 for nothing
 * @param module the module whose type information that is; empty for the kernel's own
 */
public record AttachTarget(int type, int binding, Optional<String> module) {
  private static final int TRACE_KPROBE_MULTI = 42;

  /** Returns what a program has to be loaded for that is attached so. */
  public static AttachTarget of(AttachSpec spec) {
    return spec instanceof AttachSpec.KprobeMulti
        ? KPROBE_MULTI
        : spec.binding()
            .map(
                type -> new AttachTarget(spec.programType().attachType(), type.id(), type.module()))
            .orElse(ANY);
  }

  /** Nothing. */
  public static final AttachTarget ANY = new AttachTarget(0, 0, Optional.empty());

  /** Many functions at once. Needs kernel 5.18. */
  public static final AttachTarget KPROBE_MULTI =
      new AttachTarget(TRACE_KPROBE_MULTI, 0, Optional.empty());
}
