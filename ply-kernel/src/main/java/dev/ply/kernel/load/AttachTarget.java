package dev.ply.kernel.load;

import dev.ply.bpf.object.AttachSpec;
import java.util.Optional;

/**
 * What the kernel requires at load time about the attach target.
 *
 * @param type the expected attach type (enum bpf_attach_type), 0 where the program type suffices
 * @param binding the BTF id of the function or of the type of a tracepoint's probes; 0 for none
 * @param module the module of that BTF; empty for vmlinux
 */
public record AttachTarget(int type, int binding, Optional<String> module) {
  private static final int TRACE_KPROBE_MULTI = 42;
  private static final int TRACE_UPROBE_MULTI = 48;
  private static final int TRACE_KPROBE_SESSION = 56;

  /** Returns the attach target of a spec. */
  public static AttachTarget of(AttachSpec spec) {
    return spec instanceof AttachSpec.KprobeMulti
        ? KPROBE_MULTI
        : spec.binding()
            .map(
                type -> new AttachTarget(spec.programType().attachType(), type.id(), type.module()))
            .orElse(ANY);
  }

  /** No target. */
  public static final AttachTarget ANY = new AttachTarget(0, 0, Optional.empty());

  /** Many functions, by kprobe.multi. Requires Linux 5.18. */
  public static final AttachTarget KPROBE_MULTI =
      new AttachTarget(TRACE_KPROBE_MULTI, 0, Optional.empty());

  /** Many sites in a file, by uprobe.multi. Requires Linux 6.6. */
  public static final AttachTarget UPROBE_MULTI =
      new AttachTarget(TRACE_UPROBE_MULTI, 0, Optional.empty());

  /** Many functions and their returns, by kprobe.session. Requires Linux 6.10. */
  public static final AttachTarget KPROBE_SESSION =
      new AttachTarget(TRACE_KPROBE_SESSION, 0, Optional.empty());
}
