package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.cli.Call;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tools for connections that a test opens, or fails to. */
@Tag("live")
@Tag("once")
@Timeout(600)
class NetworkToolsIT {
  private static final int TIMES = 20;
  private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

  @BeforeEach
  void start() {
    GuestMachine.assume();
  }

  @Test
  @Answers("tcpdrop")
  void packetsToNobodyAreCounted() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, LOCAL)) {
      port = free.getLocalPort();
    }
    Call call =
        LiveTool.during(
            () -> {
              for (int i = 0; i < TIMES; i++) {
                assertThatThrownBy(() -> new Socket(LOCAL, port)).isInstanceOf(IOException.class);
              }
            },
            "tcpdrop",
            "-j");
    assertThat(call.output().lines())
        .anyMatch(line -> line.contains("tcp_v4_rcv") && line.endsWith(": " + TIMES + "}"));
  }

  /** Nobody accepts: the third connection is asked for again and again. */
  @Test
  @Answers("tcpretrans")
  void segmentsThatAreSentAgainAreShown() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, LOCAL)) {
      Call call =
          LiveTool.during(
              () -> {
                List<Socket> sockets = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                  Socket socket = new Socket();
                  sockets.add(socket);
                  InetSocketAddress address = new InetSocketAddress(LOCAL, server.getLocalPort());
                  if (i < 2) {
                    socket.connect(address);
                  } else {
                    assertThatThrownBy(() -> socket.connect(address, 1500))
                        .isInstanceOf(SocketTimeoutException.class);
                  }
                }
                for (Socket socket : sockets) {
                  socket.close();
                }
                for (int i = 0; i < 2; i++) {
                  server.accept().close();
                }
              },
              "tcpretrans",
              "-j");
      assertThat(
              call.output()
                  .lines()
                  .filter(line -> line.contains("\"rport\": " + server.getLocalPort())))
          .isNotEmpty()
          .allMatch(line -> line.contains("127.0.0.1") && line.contains("\"state\": "));
    }
  }

  @Test
  @Answers("tcprtt")
  void roundTripTimesAreCounted() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, LOCAL)) {
      Call call =
          LiveTool.during(
              () -> {
                try (Socket one = new Socket(LOCAL, server.getLocalPort());
                    Socket other = server.accept()) {
                  for (int i = 0; i < TIMES; i++) {
                    one.getOutputStream().write(i);
                    assertThat(other.getInputStream().read()).isEqualTo(i);
                    other.getOutputStream().write(i);
                    assertThat(one.getInputStream().read()).isEqualTo(i);
                  }
                }
              },
              "tcprtt",
              "-j");
      long segments =
          call.output()
              .lines()
              .flatMap(line -> List.of(line.split("\"count\": ", -1)).stream().skip(1))
              .mapToLong(rest -> Long.parseLong(rest.replaceAll("\\D.*", "")))
              .sum();
      assertThat(segments).as(call.output()).isGreaterThanOrEqualTo(2 * TIMES);
    }
  }
}
