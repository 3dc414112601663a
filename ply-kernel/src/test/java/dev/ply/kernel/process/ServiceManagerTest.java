package dev.ply.kernel.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.sys.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What systemd learns. */
@EnabledOnOs(OS.LINUX)
@Timeout(30)
class ServiceManagerTest {
  @TempDir Path directory;

  private static String received(DatagramSocket socket) {
    return new String(socket.receive(), StandardCharsets.UTF_8);
  }

  private static void report(String name) {
    try (DatagramSocket socket = DatagramSocket.bind(name)) {
      ServiceManager manager = ServiceManager.of(Map.of("NOTIFY_SOCKET", name));
      manager.ready("2 of 3 scripts\nrun");
      manager.reloading();
      manager.stopping();
      assertThat(received(socket)).isEqualTo("READY=1\nSTATUS=2 of 3 scripts run");
      assertThat(received(socket)).matches("RELOADING=1\nMONOTONIC_USEC=\\d+");
      assertThat(received(socket)).isEqualTo("STOPPING=1");
    }
  }

  @Test
  void aSocketOfAPathLearnsTheState() {
    report(directory.resolve("notify").toString());
  }

  @Test
  void anAbstractSocketLearnsTheState() {
    report("@ply-test-" + ProcessHandle.current().pid());
  }

  @Test
  void whereNobodyListensNothingHappens() {
    for (String name : new String[] {"", "relative", "/nonexistent/x", "/" + "x".repeat(200)}) {
      ServiceManager.of(Map.of("NOTIFY_SOCKET", name)).ready("none");
    }
    assertThat(Optional.of(ServiceManager.of(Map.of()))).isPresent();
  }
}
