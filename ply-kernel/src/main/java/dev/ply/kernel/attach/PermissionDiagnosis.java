package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import java.util.List;
import java.util.Optional;

/**
 * Names the capability that a process with CAP_BPF and CAP_PERFMON lacks for a kind of probe; see
 * the table in docs/PRIVILEGES.md.
 */
final class PermissionDiagnosis {
  private static final List<Capability> ADMINISTRATION = List.of(Capability.CAP_SYS_ADMIN);

  private final CapabilitySet held;

  PermissionDiagnosis(CapabilitySet held) {
    this.held = held;
  }

  /** Explains EPERM or EACCES by a missing capability, if there is one. */
  Optional<Diagnostic> of(AttachSpec spec) {
    if (held.has(Capability.CAP_SYS_ADMIN)) {
      return Optional.empty();
    }
    if (spec instanceof AttachSpec.Uprobe uprobe) {
      return Optional.of(uprobe(uprobe.site()));
    }
    return spec instanceof AttachSpec.Trampoline trampoline
        ? trampoline.function().module().map(module -> ofModule(trampoline.site(), module))
        : Optional.empty();
  }

  /**
   * perf_event_open(2) checks CAP_SYS_ADMIN since Linux 6.16 and the stable releases of July 2025
   * (CVE-2025-38466); tracefs checks file permissions.
   */
  private Diagnostic uprobe(AttachSite site) {
    return refusal(
        site,
        site.definition()
            + " requires CAP_SYS_ADMIN on this kernel, or write access to uprobe_events in tracefs"
            + " (root, or CAP_DAC_OVERRIDE)");
  }

  /** bpf(BTF_GET_FD_BY_ID) checks CAP_SYS_ADMIN. */
  private Diagnostic ofModule(AttachSite site, String module) {
    return refusal(
        site,
        site.definition()
            + " requires CAP_SYS_ADMIN to read the types of module \""
            + module
            + "\"; a kprobe does not need them");
  }

  private Diagnostic refusal(AttachSite site, String message) {
    return new Diagnostic(
        Severity.ERROR,
        DiagnosticCode.NOT_PERMITTED,
        site.span(),
        message,
        List.of(held.remedy(ADMINISTRATION)));
  }
}
