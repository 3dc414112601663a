package dev.ply.cli.serve;

import dev.ply.cli.option.ListenAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is run, and where its metrics go.
 *
 * @param prometheus where they are served
 * @param webConfig Prometheus' file about TLS and users
 * @param otlp where they are sent
 * @param profiles where profiles are sent
 * @param reloads whether {@code POST /-/reload} does what SIGHUP does
 * @param cost whether hits and times of probes are measured
 * @param scripts by name, in the order of the file
 */
record ServeConfig(
    Optional<ListenAddress> prometheus,
    Optional<Path> webConfig,
    Optional<String> otlp,
    ProfileConfig profiles,
    boolean reloads,
    boolean cost,
    List<ScriptConfig> scripts) {
  ServeConfig {
    scripts = List.copyOf(scripts);
  }

  /** Returns whether another configuration exports to the same places. */
  boolean exportsAs(ServeConfig other) {
    return prometheus.equals(other.prometheus)
        && webConfig.equals(other.webConfig)
        && otlp.equals(other.otlp)
        && profiles.equals(other.profiles)
        && reloads == other.reloads;
  }

  /** Returns the scripts of this with what another has apart from them. */
  ServeConfig exportingAs(ServeConfig other) {
    return new ServeConfig(
        other.prometheus,
        other.webConfig,
        other.otlp,
        other.profiles,
        other.reloads,
        other.cost,
        scripts);
  }
}
