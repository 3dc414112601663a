package dev.ply.cli.profile;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.HttpUrl;
import dev.ply.cli.option.OtlpVariables;
import dev.ply.export.StackProfile;
import dev.ply.metrics.model.LabelText;
import dev.ply.metrics.model.MetricNames;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Pyroscope, and what takes its push requests: Grafana Alloy, Grafana Cloud.
 *
 * @param endpoint of the requests
 * @param script the name of the script, if it has one
 * @param environment with {@code PYROSCOPE_*}, as Pyroscope's clients read them
 */
record PyroscopeStore(URI endpoint, Optional<String> script, Map<String, String> environment)
    implements ProfileStore {
  private static final String EXAMPLE = "http://localhost:4040";
  private static final String PATH = "/push.v1.PusherService/Push";
  private static final String PREFIX = "PYROSCOPE_";
  private static final int MOST_LABELS = 8;

  /**
   * Reads where it is.
   *
   * @param url with a path or without, or {@code -} for that of the environment
   */
  static ProfileStore.Maker at(String url, Map<String, String> environment) throws UsageException {
    String given =
        url.equals("-") ? environment.getOrDefault(PREFIX + "SERVER_ADDRESS", EXAMPLE) : url;
    URI parsed = HttpUrl.parse(ProfileExport.PYROSCOPE, given, EXAMPLE, "/");
    String path = parsed.getPath().replaceAll("/+$", "");
    // Where a proxy has it below a path, the service's own path follows.
    URI endpoint = path.endsWith(PATH) ? parsed : parsed.resolve(path + PATH);
    Map<String, String> unused =
        new PyroscopeStore(endpoint, Optional.empty(), environment).headers();
    return script -> new PyroscopeStore(endpoint, script, environment);
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(10);
  }

  @Override
  public byte[] encode(StackProfile profile) {
    Map<String, String> labels = new LinkedHashMap<>();
    OtlpVariables.pairs(variable("LABELS").orElse("")).entrySet().stream()
        .limit(MOST_LABELS)
        .forEach(
            pair ->
                labels.put(
                    pair.getKey().replaceAll("[^a-zA-Z0-9_]|^[^a-zA-Z_]", "_"),
                    LabelText.bounded(pair.getValue())));
    labels.put(
        "__name__",
        profile.interval().isPresent() ? "process_cpu" : MetricNames.base(script, profile.map()));
    // What is pushed is what was added: nothing has to be subtracted.
    labels.put("__delta__", "false");
    labels.put("service_name", LabelText.bounded(variable("APPLICATION_NAME").orElse("ply")));
    labels.put("map", LabelText.bounded(profile.map()));
    script.ifPresent(name -> labels.put("script", LabelText.bounded(name)));
    labels.putIfAbsent("host", LabelText.bounded(HostName.get()));
    return profile.pyroscope(labels, UUID.randomUUID().toString());
  }

  @Override
  public Map<String, String> headers() throws UsageException {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/proto");
    headers.put("Connect-Protocol-Version", "1");
    Optional<String> token = secret("AUTH_TOKEN");
    Optional<String> user = variable("BASIC_AUTH_USER");
    if (token.isPresent()) {
      headers.put("Authorization", "Bearer " + token.get());
    } else if (user.isPresent()) {
      String both = user.get() + ":" + secret("BASIC_AUTH_PASSWORD").orElse("");
      headers.put(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }
    variable("TENANT_ID").ifPresent(tenant -> headers.put("X-Scope-OrgID", tenant));
    return headers;
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(PREFIX + name)).filter(value -> !value.isBlank());
  }

  /** Returns a secret, or what is in the file that the variable {@code …_FILE} names. */
  private Optional<String> secret(String name) throws UsageException {
    Optional<String> file = variable(name + "_FILE");
    if (file.isEmpty()) {
      return variable(name);
    }
    try {
      return Optional.of(Files.readString(Path.of(file.get())).strip());
    } catch (IOException | InvalidPathException e) {
      throw new UsageException(
          PREFIX + name + "_FILE: " + file.get() + " cannot be read: " + e.getMessage());
    }
  }
}
