package dev.ply.ir.declaration;

import com.google.common.collect.ImmutableMap;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.BpftraceName;
import dev.ply.probe.MissingProbes;
import dev.ply.probe.TracerProbe;
import dev.ply.type.Dialect;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The settings of a script.
 *
 * @param values those of its {@code config} block, valid ones
 * @param dialect whose rules it follows
 * @param filter what the names of probes have to contain, by {@link BpftraceName}
 */
public record Configuration(
    Map<Setting, String> values, Dialect dialect, Optional<Pattern> filter) {
  /** No settings. */
  public static final Configuration NONE = new Configuration(Map.of());

  /**
   * Settings of a script in ply's language.
   *
   * @param values as scripts write them, by setting
   */
  public Configuration(Map<Setting, String> values) {
    this(values, Dialect.PLY);
  }

  /**
   * Settings of a script without a filter of probes.
   *
   * @param values as scripts write them, by setting
   * @param dialect whose rules it follows
   */
  public Configuration(Map<Setting, String> values, Dialect dialect) {
    this(values, dialect, Optional.empty());
  }

  /**
   * Copies the settings.
   *
   * @throws IllegalArgumentException if a setting does not accept its value
   */
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

  /**
   * {@return the value of a setting}
   *
   * @param setting of any kind
   */
  public Optional<String> value(Setting setting) {
    return Optional.ofNullable(values.get(setting));
  }

  /**
   * {@return the value of a setting that is a number}
   *
   * @param setting of a number
   */
  public OptionalInt number(Setting setting) {
    return value(setting).map(Integer::parseInt).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /** {@return whether maps are printed when the trace stops} */
  public boolean printsMaps() {
    return isNotOff(Setting.PRINT_MAPS_ON_EXIT);
  }

  /** {@return whether Java runtimes without a perf map are asked to write one} */
  public boolean writesPerfMaps() {
    return isNotOff(Setting.WRITE_PERF_MAPS);
  }

  /** {@return whether functions of C++ and Rust are shown by their names} */
  public boolean demangles() {
    return isNotOff(Setting.CPP_DEMANGLE);
  }

  private boolean isNotOff(Setting setting) {
    return value(setting).filter(value -> value.equals("false") || value.equals("0")).isEmpty();
  }

  /** {@return whether stack traces have source lines, where the script sets no other mode} */
  public boolean showsDebugInfo() {
    return value(Setting.SHOW_DEBUG_INFO)
        .filter(value -> value.equals("true") || value.equals("1"))
        .isPresent();
  }

  /** {@return whether probes that the machine lacks are left out} */
  public boolean skipsMissingProbes() {
    return missingProbes() != MissingProbes.ERROR;
  }

  /** {@return what happens to probes that the machine lacks or refuses} */
  public MissingProbes missingProbes() {
    return value(Setting.MISSING_PROBES)
        .map(value -> MissingProbes.valueOf(value.toUpperCase(Locale.ROOT)))
        .orElse(MissingProbes.ERROR);
  }

  /**
   * {@return whether a probe is attached; those of the trace itself always are}
   *
   * @param point no pattern
   */
  public boolean keeps(AttachPoint point) {
    return filter.isEmpty()
        || (point instanceof TracerProbe own && own.isOfEveryTrace())
        || filter.get().matcher(BpftraceName.of(point)).find();
  }

  /**
   * {@return these settings with a filter of probes}
   *
   * @param names what the names of probes have to contain
   */
  public Configuration withFilter(Pattern names) {
    return new Configuration(values, dialect, Optional.of(names));
  }

  /**
   * {@return these settings, with those of {@code defaults} that are not set here}
   *
   * @param defaults used where this configuration has no value
   */
  public Configuration withDefaults(Configuration defaults) {
    return new Configuration(
        ImmutableMap.<Setting, String>builder()
            .putAll(defaults.values())
            .putAll(values)
            .buildKeepingLast(),
        dialect == Dialect.PLY ? defaults.dialect() : dialect,
        filter.or(defaults::filter));
  }
}
