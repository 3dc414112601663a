package dev.ply.cli.webconfig;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpsConfigurator;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A web configuration file of Prometheus. Users, and the files of a certificate, are read again
 * when they have changed; other changes take a restart.
 *
 * @param tls TLS; empty for plain HTTP
 * @param headers that each response has
 * @param users bcrypt hashes of passwords by user; none if everybody is served
 */
public record WebConfig(
    Optional<TlsSettings> tls, Map<String, String> headers, Map<String, String> users) {
  /** Keeps copies. */
  public WebConfig {
    headers = Map.copyOf(headers);
    users = Map.copyOf(users);
  }

  /**
   * Reads a file.
   *
   * @throws UsageException with all of its errors
   */
  public static WebConfig read(Path file) throws UsageException {
    return WebConfigReader.read(file);
  }

  /**
   * Returns what encrypts a server; empty for plain HTTP.
   *
   * @param console learns when changed files cannot be used
   * @throws UsageException if the certificate cannot be used
   */
  public Optional<HttpsConfigurator> encryption(Console console) throws UsageException {
    return tls.isPresent()
        ? Optional.of(TlsServer.configurator(tls.get(), console))
        : Optional.empty();
  }

  /**
   * Returns what checks requests; empty if all are answered, without further headers.
   *
   * @param file that this was read from
   * @param console learns when it cannot be used any more
   */
  public Optional<Authenticator> authentication(Path file, Console console) {
    if (users.isEmpty() && headers.isEmpty()) {
      return Optional.empty();
    }
    FreshFiles<Map<String, String>> current =
        new FreshFiles<>(users, () -> read(file).users(), console, file);
    return Optional.of(new PasswordCheck(headers, current::get));
  }
}
