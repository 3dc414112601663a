package dev.ply.ir;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The settings of a script: its {@code config} block, with valid values. */
public record Configuration(Map<Setting, String> values) {
  /** No settings. */
  public static final Configuration NONE = new Configuration(Map.of());

  public Configuration {
    values = ImmutableMap.copyOf(values);
    values.forEach(
        (setting, value) -> {
          if (!setting.kind().accepts(value)) {
            throw new IllegalArgumentException(
                setting + " is " + setting.kind().description() + ", not " + value);
          }
        });
  }

  /** Returns the value of a setting. */
  public Optional<String> value(Setting setting) {
    return Optional.ofNullable(values.get(setting));
  }

  /** Returns the value of a setting that is a number. */
  public OptionalInt number(Setting setting) {
    return value(setting).map(Integer::parseInt).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /** Returns whether maps are printed when the trace stops. */
  public boolean printsMaps() {
    return value(Setting.PRINT_MAPS_ON_EXIT)
        .filter(value -> value.equals("false") || value.equals("0"))
        .isEmpty();
  }

  /** Returns whether probes on missing functions are skipped. */
  public boolean skipsMissingProbes() {
    return value(Setting.MISSING_PROBES).filter(value -> !value.equals("error")).isPresent();
  }

  /** Returns these settings, with those of {@code defaults} that are not set here. */
  public Configuration withDefaults(Configuration defaults) {
    return new Configuration(
        ImmutableMap.<Setting, String>builder()
            .putAll(defaults.values())
            .putAll(values)
            .buildKeepingLast());
  }
}
