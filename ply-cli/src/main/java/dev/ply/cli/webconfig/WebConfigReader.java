package dev.ply.cli.webconfig;

import dev.ply.cli.io.DiagnosticLine;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.yaml.YamlErrors;
import dev.ply.cli.yaml.YamlFile;
import dev.ply.cli.yaml.YamlMap;
import dev.ply.cli.yaml.YamlText;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.Suggestions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads a web configuration file; what it does not know is an error, as for Prometheus. */
final class WebConfigReader {
  private static final List<String> VERSIONS = List.of("TLS12", "TLS13");
  private static final Pattern HASH =
      Pattern.compile("\\$2[abxy]?\\$(?:0[4-9]|1[0-6])\\$[./A-Za-z0-9]{53}");

  /** Those that Prometheus allows. */
  private static final Set<String> HEADERS =
      Set.of(
          "Content-Security-Policy",
          "Strict-Transport-Security",
          "X-Content-Type-Options",
          "X-Frame-Options",
          "X-XSS-Protection");

  private final YamlErrors errors;
  private final Path directory;

  private WebConfigReader(Source source) {
    this.errors = new YamlErrors(source);
    Path parent = Path.of(source.name()).toAbsolutePath().getParent();
    this.directory = parent == null ? Path.of("/") : parent;
  }

  static WebConfig read(Path file) throws UsageException {
    WebConfigReader reader = new WebConfigReader(YamlFile.read(file));
    YamlMap root = YamlFile.parse(reader.errors.source(), reader.errors);
    WebConfig config = reader.config(root);
    if (!reader.errors.all().isEmpty()) {
      throw new UsageException(
          reader.errors.all().stream().map(DiagnosticLine::of).collect(Collectors.joining("; ")));
    }
    return config;
  }

  private WebConfig config(YamlMap root) {
    Optional<TlsSettings> tls = root.map("tls_server_config").flatMap(this::tls);
    Map<String, String> headers =
        root.map("http_server_config").map(this::headers).orElse(Map.of());
    Map<String, String> users = root.map("basic_auth_users").map(this::users).orElse(Map.of());
    root.requireRead();
    return new WebConfig(tls, headers, users);
  }

  private Optional<TlsSettings> tls(YamlMap map) {
    Optional<Path> certificate = file(map, "cert_file");
    Optional<Path> key = file(map, "key_file");
    Optional<Path> authorities = file(map, "client_ca_file");
    TlsSettings.Clients clients = clients(map);
    List<String> versions = versions(map);
    List<String> suites = suites(map);
    boolean prefersOwn = map.flag("prefer_server_cipher_suites", true);
    for (String unsupported :
        List.of("cert", "key", "client_ca", "client_allowed_sans", "curve_preferences")) {
      if (map.has(unsupported)) {
        errors.add(
            map.keySpan(unsupported),
            unsupported + " is not supported",
            unsupported.startsWith("cu")
                ? "the Java runtime chooses curves"
                : "cert_file, key_file and client_ca_file name files");
      }
    }
    map.requireRead();
    if (certificate.isEmpty() || key.isEmpty()) {
      if (certificate.isPresent() || key.isPresent() || authorities.isPresent()) {
        errors.add(map.span(), "missing " + (certificate.isEmpty() ? "cert_file" : "key_file"));
      }
      return Optional.empty();
    }
    if (authorities.isPresent() && !clients.isVerified()) {
      errors.add(
          map.keySpan("client_ca_file"),
          "client_ca_file is for certificates of clients, which client_auth_type does not verify",
          "client_auth_type: RequireAndVerifyClientCert");
    }
    return Optional.of(
        new TlsSettings(
            certificate.get(), key.get(), authorities, clients, versions, suites, prefersOwn));
  }

  private Optional<Path> file(YamlMap map, String key) {
    Optional<YamlText> text = map.text(key).filter(one -> !one.text().isEmpty());
    try {
      return text.map(one -> directory.resolve(one.text()).normalize());
    } catch (InvalidPathException e) {
      errors.add(map.keySpan(key), key + " cannot be a file's name");
      return Optional.empty();
    }
  }

  private TlsSettings.Clients clients(YamlMap map) {
    Optional<YamlText> given = map.text("client_auth_type").filter(one -> !one.text().isEmpty());
    Optional<TlsSettings.Clients> known = given.flatMap(one -> TlsSettings.Clients.of(one.text()));
    if (given.isPresent() && known.isEmpty()) {
      List<String> words =
          Arrays.stream(TlsSettings.Clients.values()).map(TlsSettings.Clients::word).toList();
      errors.add(
          given.get().span(),
          "invalid client_auth_type \"" + given.get().text() + "\"",
          Suggestions.hint(
              given.get().text(), words.stream(), "it is one of " + String.join(", ", words)));
    }
    return known.orElse(TlsSettings.Clients.NONE);
  }

  private List<String> versions(YamlMap map) {
    int least = version(map, "min_version", 0);
    int most = version(map, "max_version", VERSIONS.size() - 1);
    if (least > most) {
      errors.add(map.keySpan("min_version"), "min_version is above max_version");
    }
    List<String> versions = new ArrayList<>();
    for (int i = least; i <= most; i++) {
      versions.add(VERSIONS.get(i).replace("TLS1", "TLSv1."));
    }
    return versions;
  }

  private int version(YamlMap map, String key, int usual) {
    Optional<YamlText> given = map.text(key).filter(one -> !one.text().isEmpty());
    if (given.isPresent() && !VERSIONS.contains(given.get().text())) {
      errors.add(
          given.get().span(),
          key + " is TLS12 or TLS13, not \"" + given.get().text() + "\"",
          "Java runtimes have no older ones");
    }
    return given.map(one -> VERSIONS.indexOf(one.text())).filter(one -> one >= 0).orElse(usual);
  }

  private List<String> suites(YamlMap map) {
    List<String> supported = TlsServer.supportedCipherSuites();
    List<String> suites = new ArrayList<>();
    for (YamlText one : map.texts("cipher_suites")) {
      // Go's older names of these leave the hash out.
      String name = supported.contains(one.text()) ? one.text() : one.text() + "_SHA256";
      if (supported.contains(name)) {
        suites.add(name);
      } else {
        errors.add(
            one.span(),
            "unknown cipher suite \"" + one.text() + "\"",
            Suggestions.hint(one.text(), supported.stream()));
      }
    }
    return suites;
  }

  private Map<String, String> headers(YamlMap map) {
    Map<String, String> headers = new LinkedHashMap<>();
    // This server has HTTP/1.1 alone, which all clients have.
    boolean unused = map.flag("http2", true);
    Optional<YamlMap> given = map.map("headers");
    map.requireRead();
    if (given.isPresent()) {
      for (String name : given.get().keys()) {
        Optional<YamlText> value = given.get().text(name).filter(one -> !one.text().isEmpty());
        if (!HEADERS.contains(name)) {
          errors.add(
              given.get().keySpan(name),
              "HTTP header \"" + name + "\" cannot be configured",
              Suggestions.hint(
                  name,
                  HEADERS.stream(),
                  "these can: " + HEADERS.stream().sorted().collect(Collectors.joining(", "))));
        } else if (value.isPresent() && value.get().text().matches("[\\x20-\\x7e]+")) {
          headers.put(name, value.get().text());
        } else if (value.isPresent()) {
          errors.add(value.get().span(), "a header is one line of ASCII");
        }
      }
    }
    return headers;
  }

  private Map<String, String> users(YamlMap map) {
    Map<String, String> users = new LinkedHashMap<>();
    for (String name : map.keys()) {
      Optional<YamlText> hash = map.text(name);
      if (hash.isEmpty() || !HASH.matcher(hash.get().text()).matches()) {
        // Not the value: it may be a password.
        errors.add(
            map.keySpan(name),
            "user \"" + name + "\" has no bcrypt hash",
            "htpasswd -nBC 10 \"\" makes one: $2y$10$…");
      } else {
        users.put(name, hash.get().text());
      }
    }
    return users;
  }
}
