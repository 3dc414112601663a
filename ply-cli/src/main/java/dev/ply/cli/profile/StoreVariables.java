package dev.ply.cli.profile;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.OtlpVariables;
import dev.ply.export.StackProfile;
import dev.ply.metrics.model.LabelText;
import dev.ply.metrics.model.MetricNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the environment says about a store that takes pprof.
 *
 * @param prefix of its variables: {@code PYROSCOPE_}
 * @param environment all variables
 */
record StoreVariables(String prefix, Map<String, String> environment) {
  private static final int MOST_LABELS = 8;

  Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(prefix + name)).filter(value -> !value.isBlank());
  }

  /**
   * Returns a secret, or what is in the file that the variable {@code …_FILE} names.
   *
   * @throws UsageException if that file cannot be read
   */
  Optional<String> secret(String name) throws UsageException {
    Optional<String> file = variable(name + "_FILE");
    if (file.isEmpty()) {
      return variable(name);
    }
    try {
      return Optional.of(Files.readString(Path.of(file.get())).strip());
    } catch (IOException | InvalidPathException e) {
      throw new UsageException(
          prefix + name + "_FILE: " + file.get() + " cannot be read: " + e.getMessage());
    }
  }

  /**
   * Returns the labels of a profile's series: what it is, and those of the variable {@code
   * …_LABELS}.
   *
   * @param script the name of the script, if it has one
   */
  Map<String, String> series(StackProfile profile, Optional<String> script) {
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
    labels.put("map", LabelText.bounded(profile.map()));
    script.ifPresent(name -> labels.put("script", LabelText.bounded(name)));
    labels.putIfAbsent("host", LabelText.bounded(HostName.get()));
    labels.putIfAbsent("service_name", "ply");
    return labels;
  }
}
