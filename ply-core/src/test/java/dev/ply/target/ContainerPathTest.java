package dev.ply.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cgroups as engines name them. */
class ContainerPathTest {
  private static final String ID =
      "0123456789ab" + "cdef0123456789abcdef".repeat(2) + "0123456789ab";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /docker/ID | 0123456789ab | -
          /system.slice/docker-ID.scope | 0123456789ab | -
          /system.slice/docker-ID.scope/init.scope | 0123456789ab | -
          /machine.slice/libpod-ID.scope/container | 0123456789ab | -
          /machine.slice/libpod-conmon-ID.scope | - | -
          /user.slice/user-1000.slice/user@1000.service/user.slice/libpod-ID.scope | 0123456789ab | -
          /machine.slice/machine-libpod_pod_ID.slice/libpod-ID.scope | 0123456789ab | 0123456789ab
          /default/ID | 0123456789ab | -
          /system.slice/nerdctl-ID.scope | 0123456789ab | -
          /kubepods/burstable/pod12345678-9abc-def0-1234-56789abcdef0/ID | 0123456789ab | 12345678-9abc-def0-1234-56789abcdef0
          /kubepods.slice/kubepods-pod12345678_9abc_def0_1234_56789abcdef0.slice/cri-containerd-ID.scope | 0123456789ab | 12345678-9abc-def0-1234-56789abcdef0
          /kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod12345678_9abc_def0_1234_56789abcdef0.slice/crio-ID.scope | 0123456789ab | 12345678-9abc-def0-1234-56789abcdef0
          /system.slice/crio-conmon-ID.scope | - | -
          /system.slice/containerd.service/kubepods-burstable-pod12345678_9abc_def0_1234_56789abcdef0.slice:cri-containerd:ID | 0123456789ab | 12345678-9abc-def0-1234-56789abcdef0
          /kubepods/podaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/ID | 0123456789ab | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
          /machine.slice/machine-debian\\x2dtrixie.scope | debian-trixie | -
          /machine.slice/systemd-nspawn@web.service/payload | web | -
          /lxc.payload.web/system.slice/ssh.service | web | -
          /lxc/web | web | -
          / | - | -
          /system.slice/ssh.service | - | -
          /user.slice/user-1000.slice/session-1.scope | - | -
          /kubepods.slice/kubelet.service | - | -
          """)
  void containersAndPodsAreKnownByTheirCgroups(String path, String container, String pod) {
    ContainerPath parsed = new ContainerPath(path.replace("ID", ID));
    assertThat(parsed.container().orElse(ContainerPath.NONE)).isEqualTo(container);
    assertThat(parsed.pod().orElse(ContainerPath.NONE)).isEqualTo(pod);
  }

  @Test
  void theInnermostContainerIsMeant() {
    String inner = "f".repeat(64);
    ContainerPath nested = new ContainerPath("/docker/" + ID + "/docker/" + inner);
    assertThat(nested.identity()).contains(inner);
    assertThat(nested.isContainer()).isTrue();
    assertThat(new ContainerPath("/docker/" + ID + "/init.scope").isContainer()).isFalse();
  }

  /** A container names its own cgroups as it likes. */
  @Property
  void anyPathHasAnAnswer(@ForAll String path) {
    assertThatCode(() -> new ContainerPath(path).container()).doesNotThrowAnyException();
    assertThatCode(() -> new ContainerPath(path).pod()).doesNotThrowAnyException();
  }
}
