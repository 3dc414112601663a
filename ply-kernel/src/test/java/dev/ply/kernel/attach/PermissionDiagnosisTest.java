package dev.ply.kernel.attach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.AttachSpec.BtfBinding;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.probe.MissingProbes;
import dev.ply.target.Mechanism;
import dev.ply.target.UserLocation;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class PermissionDiagnosisTest {
  private static final PermissionDiagnosis TRACER =
      new PermissionDiagnosis(CapabilitySet.of("CapEff:\t000000c000000000\n"));
  private static final PermissionDiagnosis ADMINISTRATOR =
      new PermissionDiagnosis(CapabilitySet.of("CapEff:\t0000000000200000\n"));

  private static final UserLocation LOCATION =
      new UserLocation(Path.of("/lib/libc.so.6"), 0x1000, OptionalInt.empty());

  private static AttachSite site(String definition, Mechanism mechanism) {
    return new AttachSite(
        definition,
        new SourceSpan("<input>", 1, 1, 1, 1 + definition.length()),
        Optional.empty(),
        MissingProbes.ERROR,
        mechanism,
        "it costs the least");
  }

  @Test
  void aUprobeTakesCapSysAdminOrTracefs() {
    AttachSpec malloc =
        new AttachSpec.Uprobe(
            site("uprobe:c:malloc", Mechanism.DIRECT), List.of(LOCATION), /* isReturn= */ false);
    assertThat(
            DiagnosticRenderer.render(
                List.of(TRACER.of(malloc).orElseThrow()),
                new Source("<input>", "uprobe:c:malloc { @ = count(); }")))
        .isEqualTo(
            """
            error[not-permitted]: uprobe:c:malloc requires CAP_SYS_ADMIN on this kernel, or write access \
            to uprobe_events in tracefs (root, or CAP_DAC_OVERRIDE)
              <input>:1:1
              | uprobe:c:malloc { @ = count(); }
              | ^~~~~~~~~~~~~~~  run as root, or let root run setpriv --reuid=USER --regid=GROUP \
            --init-groups --inh-caps=+sys_admin,+perfmon,+bpf \
            --ambient-caps=+sys_admin,+perfmon,+bpf ply ...
            """);
    assertThat(ADMINISTRATOR.of(malloc)).isEmpty();
  }

  @Test
  void typesOfModulesTakeCapSysAdmin() {
    AttachSpec entry =
        new AttachSpec.Trampoline(
            site("fentry:ext4:f", Mechanism.FENTRY),
            new BtfBinding(1, Optional.of("ext4")),
            /* isReturn= */ false);
    assertThat(TRACER.of(entry).orElseThrow().message()).contains("CAP_SYS_ADMIN", "\"ext4\"");
    assertThat(ADMINISTRATOR.of(entry)).isEmpty();
  }

  @Test
  void forOtherProbesTwoCapabilitiesAreEnough() {
    AttachSite site = site("rawtracepoint:sched_switch", Mechanism.DIRECT);
    assertThat(TRACER.of(new AttachSpec.RawTracepoint(site, "sched_switch", 0))).isEmpty();
  }
}
