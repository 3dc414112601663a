package dev.ply.cli.profile;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.HttpUrl;
import dev.ply.export.StackProfile;
import dev.ply.metrics.model.LabelText;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
 * @param variables {@code PYROSCOPE_*}, as Pyroscope's clients read them
 */
record PyroscopeStore(URI endpoint, Optional<String> script, StoreVariables variables)
    implements ProfileStore {
  private static final String EXAMPLE = "http://localhost:4040";
  private static final String PATH = "/push.v1.PusherService/Push";

  /**
   * Reads where it is.
   *
   * @param url with a path or without, or {@code -} for that of the environment
   */
  static ProfileStore.Maker at(String url, Map<String, String> environment) throws UsageException {
    StoreVariables variables = new StoreVariables("PYROSCOPE_", environment);
    String given = url.equals("-") ? variables.variable("SERVER_ADDRESS").orElse(EXAMPLE) : url;
    URI endpoint = HttpUrl.below(ProfileExport.PYROSCOPE, given, EXAMPLE, PATH);
    Map<String, String> unused =
        new PyroscopeStore(endpoint, Optional.empty(), variables).headers();
    return script -> new PyroscopeStore(endpoint, script, variables);
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(10);
  }

  @Override
  public byte[] encode(StackProfile profile) {
    Map<String, String> labels = variables.series(profile, script);
    // What is pushed is what was added: nothing has to be subtracted.
    labels.put("__delta__", "false");
    variables
        .variable("APPLICATION_NAME")
        .ifPresent(name -> labels.put("service_name", LabelText.bounded(name)));
    return profile.pyroscope(labels, UUID.randomUUID().toString());
  }

  @Override
  public Map<String, String> headers() throws UsageException {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/proto");
    headers.put("Connect-Protocol-Version", "1");
    Optional<String> token = variables.secret("AUTH_TOKEN");
    Optional<String> user = variables.variable("BASIC_AUTH_USER");
    if (token.isPresent()) {
      headers.put("Authorization", "Bearer " + token.get());
    } else if (user.isPresent()) {
      String both = user.get() + ":" + variables.secret("BASIC_AUTH_PASSWORD").orElse("");
      headers.put(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }
    variables.variable("TENANT_ID").ifPresent(tenant -> headers.put("X-Scope-OrgID", tenant));
    return headers;
  }
}
