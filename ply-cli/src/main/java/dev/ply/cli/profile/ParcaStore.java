package dev.ply.cli.profile;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.HttpUrl;
import dev.ply.export.StackProfile;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Parca, by its service {@code WriteRaw} in JSON.
 *
 * @param endpoint of the requests
 * @param script the name of the script, if it has one
 * @param variables {@code PARCA_*}
 */
record ParcaStore(URI endpoint, Optional<String> script, StoreVariables variables)
    implements ProfileStore {
  private static final String EXAMPLE = "http://localhost:7070";
  private static final String PATH = "/api/profiles/writeraw";

  /**
   * Reads where it is.
   *
   * @param url with a path or without
   */
  static ProfileStore.Maker at(String url, Map<String, String> environment) throws UsageException {
    StoreVariables variables = new StoreVariables("PARCA_", environment);
    URI endpoint = HttpUrl.below(ProfileExport.PARCA, url, EXAMPLE, PATH);
    Map<String, String> unused = new ParcaStore(endpoint, Optional.empty(), variables).headers();
    return script -> new ParcaStore(endpoint, script, variables);
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(10);
  }

  @Override
  public byte[] encode(StackProfile profile) {
    return profile.parca(variables.series(profile, script));
  }

  @Override
  public Map<String, String> headers() throws UsageException {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/json");
    variables
        .secret("BEARER_TOKEN")
        .ifPresent(token -> headers.put("Authorization", "Bearer " + token));
    return headers;
  }
}
