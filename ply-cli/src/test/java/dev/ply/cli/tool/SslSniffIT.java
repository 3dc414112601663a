package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sslsniff} on both sides of a connection. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class SslSniffIT {
  private final List<Process> servers = new ArrayList<>();
  @TempDir private Path directory;

  @BeforeEach
  void start() throws Exception {
    Live.assumeTracing();
    assumeTrue(isThere("openssl"), "there is no openssl here");
    run(
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1"
            + " -subj /CN=localhost");
  }

  private static boolean isThere(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  private void run(String command) throws IOException, InterruptedException {
    assertThat(process(command).start().waitFor()).isZero();
  }

  private ProcessBuilder process(String command) {
    return new ProcessBuilder(command.split(" ", -1))
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
  }

  @AfterEach
  void end() {
    servers.forEach(Process::destroyForcibly);
  }

  /** Starts a server, and returns its port when it listens. */
  private int server(String mode) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Process server =
        process("openssl s_server -quiet " + mode + "-key key.pem -cert cert.pem -accept " + port)
            .redirectOutput(ProcessBuilder.Redirect.PIPE)
            .start();
    servers.add(server);
    while (server.isAlive()) {
      try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return probe.getPort();
      } catch (ConnectException e) {
        Thread.onSpinWait();
      }
    }
    throw new IOException("the server ended with status " + server.exitValue());
  }

  /** Has the last line that the server gets answered by the server's input. */
  private void talk(int number, int port, String question, String answer) throws Exception {
    Process server = servers.get(number);
    try (Socket socket =
        trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(question.getBytes(StandardCharsets.UTF_8));
      StringBuilder seen = new StringBuilder();
      while (!seen.toString().endsWith(question)) {
        seen.append((char) server.getInputStream().read());
      }
      server.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
      server.getOutputStream().flush();
      assertThat(socket.getInputStream().readNBytes(answer.length())).asString().isEqualTo(answer);
    }
  }

  /** Returns what trusts every server. */
  private static SSLContext trusting() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        null,
        new TrustManager[] {
          new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
              return new X509Certificate[0];
            }
          }
        },
        new SecureRandom());
    return context;
  }

  @Test
  @Answers("sslsniff")
  void whatAServerReadsAndWritesIsShown() throws Exception {
    int traced = server("");
    int other = server("");
    Call call =
        LiveTool.during(
            () -> {
              talk(1, other, "other\n", "rehto\n");
              talk(0, traced, "hello\n", "olleh\n");
            },
            "sslsniff",
            "-j",
            "-p",
            String.valueOf(servers.get(0).pid()));
    assertThat(call.output()).doesNotContain("other", "rehto");
    assertThat(call.output().lines().filter(line -> line.contains("\"openssl\"")))
        .satisfiesExactly(
            line -> assertThat(line).contains("READ", "\"len\": 6,").contains("hello\\\\x0a"),
            line -> assertThat(line).contains("WRITE", "\"len\": 6,").contains("olleh\\\\x0a"));
    assertThat(call.errors()).isEmpty();
  }

  /** Python calls SSL_read_ex and SSL_write_ex. */
  @Test
  @Answers("sslsniff")
  void whatPythonReadsAndWritesIsShown() throws Exception {
    Path script = Files.writeString(directory.resolve("ssl-there.py"), "import ssl\n");
    assumeTrue(
        isThere("python3") && process("python3 " + script).start().waitFor() == 0,
        "there is no Python with ssl here");
    int port = server("-rev ");
    String client =
        "import socket, ssl\n"
            + "context = ssl._create_unverified_context()\n"
            + "client = context.wrap_socket(socket.create_connection(('localhost', "
            + port
            + ")))\n"
            + "client.send(b'hello\\n'); client.recv(100)\n";
    Path file = Files.writeString(directory.resolve("client.py"), client);
    Call call =
        Call.ply("tool", "sslsniff", "-j", "-c", "python3 " + file + "; exec python3 " + file);
    assertThat(call.output().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("WRITE", "\"len\": 6,").contains("hello\\\\x0a"),
            line -> assertThat(line).contains("READ", "\"len\": 6,").contains("olleh\\\\x0a"));
  }
}
