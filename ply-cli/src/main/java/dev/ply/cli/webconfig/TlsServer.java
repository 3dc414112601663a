package dev.ply.cli.webconfig;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A server's side of TLS. */
final class TlsServer {
  private TlsServer() {}

  /** Returns the cipher suites of this Java runtime. */
  static List<String> supportedCipherSuites() {
    try {
      return List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns what encrypts connections.
   *
   * @throws UsageException if certificate, key or authorities cannot be used
   */
  static HttpsConfigurator configurator(TlsSettings settings, Console console)
      throws UsageException {
    ServerCertificate certificate = ServerCertificate.read(settings);
    FreshFiles<ServerCertificate> current =
        new FreshFiles<>(
            certificate,
            () -> ServerCertificate.read(settings),
            console,
            settings.certificate(),
            settings.key());
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new CertificateChoice(current::get)},
          trusted(settings).orElse(null),
          null);
      return configurator(context, settings);
    } catch (GeneralSecurityException | IOException e) {
      throw new UsageException("TLS cannot be set up: " + e.getMessage());
    }
  }

  private static HttpsConfigurator configurator(SSLContext context, TlsSettings settings) {
    SSLParameters parameters = context.getDefaultSSLParameters();
    parameters.setProtocols(settings.versions().toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(settings.prefersOwn());
    if (!settings.cipherSuites().isEmpty()) {
      // Those of TLS 1.3 are not chosen, as in Go.
      List<String> suites = new ArrayList<>(settings.cipherSuites());
      Stream.of(parameters.getCipherSuites())
          .filter(one -> !one.contains("_WITH_"))
          .forEach(suites::add);
      parameters.setCipherSuites(suites.toArray(String[]::new));
    }
    if (settings.clients().isNeeded()) {
      parameters.setNeedClientAuth(true);
    } else if (settings.clients() != TlsSettings.Clients.NONE) {
      parameters.setWantClientAuth(true);
    }
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters connection) {
        connection.setSSLParameters(parameters);
      }
    };
  }

  /** Returns whose certificates are trusted; empty for those that the Java runtime trusts. */
  private static Optional<TrustManager[]> trusted(TlsSettings settings)
      throws UsageException, GeneralSecurityException, IOException {
    if (!settings.clients().isVerified()) {
      return Optional.of(new TrustManager[] {new AnyClient()});
    }
    if (settings.authorities().isEmpty()) {
      return Optional.empty();
    }
    KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
    authorities.load(null, null);
    int number = 0;
    for (X509Certificate one : PemFile.certificates(settings.authorities().get())) {
      authorities.setCertificateEntry("authority-" + number++, one);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(authorities);
    return Optional.of(factory.getTrustManagers());
  }
}
