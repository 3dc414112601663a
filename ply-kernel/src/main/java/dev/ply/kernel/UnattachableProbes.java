package dev.ply.kernel;

import dev.ply.bpf.object.BpfObject;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.kernel.attach.AttachCheck;
import dev.ply.target.Target;
import java.util.List;

/** Finds probes that exist and that this machine cannot attach, without attaching any. */
public final class UnattachableProbes {
  private UnattachableProbes() {}

  /**
   * {@return an error for each probe of a compiled program that cannot be attached, and notes about
   * sites of patterns that are skipped; what this process lacks the privileges for is assumed to be
   * possible}
   *
   * @param object compiled for the running kernel
   * @param target the running kernel
   */
  @SuppressWarnings("exports") // for the other modules
  public static List<Diagnostic> find(BpfObject object, Target target) {
    return AttachCheck.find(object, target);
  }
}
