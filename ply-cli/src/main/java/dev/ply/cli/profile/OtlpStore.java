package dev.ply.cli.profile;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.OtlpVariables;
import dev.ply.export.StackProfile;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A collector that takes OpenTelemetry's profiles.
 *
 * @param endpoint of the requests
 * @param timeout of a request
 * @param headers of a request
 * @param resource attributes of what sends
 */
record OtlpStore(
    URI endpoint, Duration timeout, Map<String, String> headers, Map<String, String> resource)
    implements ProfileStore {
  /**
   * Reads where it is.
   *
   * @param url with a path or without, or {@code -} for that of the environment
   */
  static ProfileStore.Maker at(String url, Map<String, String> environment) throws UsageException {
    OtlpVariables variables = new OtlpVariables(OtlpVariables.Signal.PROFILES, environment);
    URI endpoint = variables.endpoint(url);
    Duration timeout = variables.timeout();
    Map<String, String> headers = new LinkedHashMap<>(variables.headers());
    headers.put("Content-Type", "application/x-protobuf");
    return script -> {
      Map<String, String> resource = new LinkedHashMap<>();
      resource.put("host.name", HostName.get());
      resource.putAll(variables.resource());
      script.ifPresent(name -> resource.put("ply.script", name));
      return new OtlpStore(endpoint, timeout, headers, resource);
    };
  }

  @Override
  public byte[] encode(StackProfile profile) {
    return profile.otlp(resource);
  }
}
