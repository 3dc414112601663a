package dev.ply.cli.bpftrace;

import dev.ply.cli.io.UsageException;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.type.Dialect;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** bpftrace's environment variables for settings that a script's config block can have, too. */
final class BpftraceSettings {
  private static final String PREFIX = "BPFTRACE_";

  /** The former name of BPFTRACE_MAX_STRLEN. */
  private static final String STRLEN = "BPFTRACE_STRLEN";

  private BpftraceSettings() {}

  /** Reads them. */
  static Configuration of(Map<String, String> environment) throws UsageException {
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    add(Setting.MAX_STRLEN, STRLEN, environment, values);
    for (Setting setting : Setting.values()) {
      String name = PREFIX + setting.toString().toUpperCase(Locale.ROOT);
      add(setting, name, environment, values);
    }
    return new Configuration(values, Dialect.BPFTRACE);
  }

  private static void add(
      Setting setting, String name, Map<String, String> environment, Map<Setting, String> values)
      throws UsageException {
    String value = environment.get(name);
    if (value == null) {
      return;
    }
    if (!setting.kind().accepts(value)) {
      throw new UsageException(
          name + " is " + setting.kind().description() + ", not \"" + value + "\"");
    }
    values.put(setting, value);
  }
}
