package dev.ply.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.cli.webconfig.WebConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers with TLS and passwords, as web configuration files say. */
@Tag("any-java")
@Timeout(60)
class WebConfigTest {
  /** Of "secret", made by crypt(3). */
  private static final String HASH = "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

  @TempDir Path directory;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new Output(OutputStream.nullOutputStream()),
          new ErrorStream(log),
          Set.of(),
          Terminal.NONE);

  @BeforeEach
  void copyFiles() throws IOException {
    for (String name :
        List.of("ec.crt", "ec.key", "ec-sec1.key", "rsa.crt", "rsa-pkcs1.key", "client.crt")) {
      Files.write(directory.resolve(name), resource(name));
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream content = WebConfig.class.getResourceAsStream(name)) {
      return content.readAllBytes();
    }
  }

  private Path config(String text) throws IOException {
    return Files.writeString(directory.resolve("web.yml"), text);
  }

  /** What is done with a server. */
  private interface Use {
    void of(String url) throws Exception;
  }

  private void served(String text, Use use) throws Exception {
    Exporters exporters =
        new Exporters(
            Optional.of(ListenAddress.parse("--prometheus", "127.0.0.1:0")),
            Optional.of(config(text)),
            Lifecycle.OF_COMMAND,
            Optional.empty());
    Exporters.Running running = exporters.start(console, ProcessMetrics::get);
    try {
      use.of(log().lines().findFirst().orElseThrow().replace("metrics: ", ""));
    } finally {
      running.close();
    }
  }

  private String log() {
    return log.toString(StandardCharsets.UTF_8);
  }

  private static Certificate certificate(String name) throws Exception {
    try (InputStream content = WebConfig.class.getResourceAsStream(name)) {
      return CertificateFactory.getInstance("X.509").generateCertificate(content);
    }
  }

  /** Returns a client that trusts the two certificates of the server. */
  private static HttpClient client(boolean hasCertificate) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("ec", certificate("ec.crt"));
    trusted.setCertificateEntry("rsa", certificate("rsa.crt"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
    own.load(null, null);
    if (hasCertificate) {
      String pem = new String(resource("client.key"), StandardCharsets.US_ASCII);
      PrivateKey key =
          KeyFactory.getInstance("EC")
              .generatePrivate(
                  new PKCS8EncodedKeySpec(
                      Base64.getMimeDecoder().decode(pem.replaceAll("-----.*?-----", ""))));
      own.setKeyEntry("own", key, new char[0], new Certificate[] {certificate("client.crt")});
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
    keys.init(own, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static HttpRequest request(String url, String user, String password) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (!user.isEmpty()) {
      String both = user + ":" + password;
      request.header(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }
    return request.build();
  }

  private static int status(HttpClient client, String url, String user, String password)
      throws Exception {
    return client
        .send(request(url, user, password), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @ParameterizedTest
  @CsvSource({"ec.crt, ec.key", "ec.crt, ec-sec1.key", "rsa.crt, rsa-pkcs1.key"})
  void eachFormOfKeyIsRead(String certificate, String key) throws Exception {
    served(
        "tls_server_config: {cert_file: %s, key_file: %s}".formatted(certificate, key),
        url -> {
          assertThat(url).startsWith("https://");
          HttpResponse<String> response =
              client(false).send(request(url, "", ""), HttpResponse.BodyHandlers.ofString());
          assertThat(response.body()).contains("process_cpu_seconds_total ");
          assertThat(response.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
        });
  }

  @Test
  void versionsAndCipherSuitesAreThoseOfTheFile() throws Exception {
    served(
        """
        tls_server_config:
          cert_file: rsa.crt
          key_file: rsa-pkcs1.key
          max_version: TLS12
          cipher_suites: [TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305]
        """,
        url -> {
          HttpResponse<Void> response =
              client(false).send(request(url, "", ""), HttpResponse.BodyHandlers.discarding());
          assertThat(response.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.2");
          assertThat(response.sslSession().orElseThrow().getCipherSuite())
              .isEqualTo("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "NoClientCert, false",
    "RequestClientCert, false",
    "RequireAnyClientCert, true",
    "VerifyClientCertIfGiven, false",
    "RequireAndVerifyClientCert, true"
  })
  void clientsHaveCertificatesAsTheFileSays(String type, boolean isNeeded) throws Exception {
    String authorities = type.contains("Verify") ? ", client_ca_file: client.crt" : "";
    served(
        "tls_server_config: {cert_file: ec.crt, key_file: ec.key, client_auth_type: %s%s}"
            .formatted(type, authorities),
        url -> {
          assertThat(status(client(true), url, "", "")).isEqualTo(200);
          Throwable refused = catchThrowable(() -> status(client(false), url, "", ""));
          assertThat(refused != null).isEqualTo(isNeeded);
        });
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
    served(
        "tls_server_config: {cert_file: ec.crt, key_file: ec.key,"
            + " client_auth_type: RequireAndVerifyClientCert, client_ca_file: rsa.crt}",
        url ->
            assertThatThrownBy(() -> status(client(true), url, "", ""))
                .isInstanceOf(IOException.class));
  }

  @Test
  void onlyUsersWithTheirPasswordsAreServed() throws Exception {
    served(
        "basic_auth_users:\n  alice: "
            + HASH
            + "\nhttp_server_config:\n  headers:\n    X-Frame-Options: deny\n",
        url -> {
          HttpClient client = HttpClient.newHttpClient();
          HttpResponse<Void> stranger =
              client.send(request(url, "", ""), HttpResponse.BodyHandlers.discarding());
          assertThat(stranger.statusCode()).isEqualTo(401);
          assertThat(stranger.headers().firstValue("WWW-Authenticate")).contains("Basic");
          assertThat(stranger.headers().firstValue("X-Frame-Options")).contains("deny");
          for (int i = 0; i < 2; i++) {
            assertThat(status(client, url, "alice", "secret")).isEqualTo(200);
            assertThat(status(client, url, "alice", "Secret")).isEqualTo(401);
            assertThat(status(client, url, "bob", "secret")).isEqualTo(401);
            assertThat(status(client, url, "alice", "")).isEqualTo(401);
            assertThat(status(client, url, "alice", "x".repeat(2_000))).isEqualTo(401);
          }
          assertThat(status(client, url.replace("/metrics", "/-/healthy"), "", "")).isEqualTo(401);
          assertThat(status(client, url.replace("/metrics", "/-/reload"), "", "")).isEqualTo(401);
        });
  }

  @Test
  void guessesDelayNobodyWhosePasswordIsKnown() throws Exception {
    served(
        "basic_auth_users: {alice: '" + HASH + "'}",
        url -> {
          HttpClient client = HttpClient.newHttpClient();
          assertThat(status(client, url, "alice", "secret")).isEqualTo(200);
          List<CompletableFuture<HttpResponse<Void>>> guesses = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            guesses.add(
                client.sendAsync(
                    request(url, "alice", "guess" + i), HttpResponse.BodyHandlers.discarding()));
          }
          assertThat(status(client, url, "alice", "secret")).isEqualTo(200);
          for (CompletableFuture<HttpResponse<Void>> guess : guesses) {
            assertThat(guess.get().statusCode()).isIn(401, 503);
          }
        });
  }

  @Test
  void whatIsNotKnownIsRefusedWithAllErrors() throws Exception {
    Path file =
        config(
            """
            tls_server_config:
              cert_file: ec.crt
              client_auth_type: RequireAndVerifyClientCerts
              min_version: TLS10
              cipher_suites: [TLS_RSA]
              curve_preferences: [X25519]
            http_server_config:
              headers: {X-Powered-By: x}
            basic_auth_user: {}
            basic_auth_users: {alice: secret}
            """);
    assertThatThrownBy(() -> WebConfig.read(file))
        .isInstanceOf(UsageException.class)
        .extracting(
            e -> String.valueOf(e.getMessage()).replace(file + ":", "").split("; (?=\\d)", -1))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.array(String[].class))
        .satisfies(
            lines -> {
              assertThat(lines[0]).startsWith("2:3: missing key_file");
              assertThat(lines[1])
                  .isEqualTo(
                      "3:21: invalid client_auth_type \"RequireAndVerifyClientCerts\" (did you mean"
                          + " \"RequireAndVerifyClientCert\"?)");
              assertThat(lines[2]).startsWith("4:16: min_version is TLS12 or TLS13, not \"TLS10\"");
              assertThat(lines[3]).startsWith("5:19: unknown cipher suite \"TLS_RSA\"");
              assertThat(lines[4]).startsWith("6:3: curve_preferences is not supported");
              assertThat(lines[5]).startsWith("8:13: HTTP header \"X-Powered-By\" cannot be");
              assertThat(lines[6]).startsWith("9:1: unknown key \"basic_auth_user\" (did you");
              assertThat(lines[7]).startsWith("10:20: user \"alice\" has no bcrypt hash");
            });
  }

  @Test
  void aKeyThatIsNotTheCertificatesIsRefused() throws Exception {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "rsa-pkcs1.key", "is not the key of the certificate",
                "ec.crt", "has no private key in PEM",
                "none.key", "no such file")
            .entrySet()) {
      assertThatThrownBy(
              () ->
                  served(
                      "tls_server_config: {cert_file: ec.crt, key_file: " + wrong.getKey() + "}",
                      url -> {}))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining(wrong.getValue());
    }
  }

  @Test
  void plainHttpIsNoWayIntoTls() throws Exception {
    served(
        "tls_server_config: {cert_file: ec.crt, key_file: ec.key}",
        url -> {
          assertThatThrownBy(
                  () -> status(HttpClient.newHttpClient(), url.replace("https", "http"), "", ""))
              .isInstanceOf(IOException.class);
          assertThatThrownBy(() -> status(HttpClient.newHttpClient(), url, "", ""))
              .isInstanceOf(SSLHandshakeException.class);
        });
  }
}
