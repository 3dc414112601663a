package dev.ply.ir.declaration;

import com.google.common.collect.ImmutableList;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A setting of a script's {@code config} block, by bpftrace's names. */
public enum Setting {
  /** The maximum number of keys of a map. */
  MAX_MAP_KEYS(Kind.NUMBER),
  /** The size of the event buffer in pages of 4096 bytes. */
  PERF_RB_PAGES(Kind.NUMBER),
  /** The size in bytes, including the NUL, of strings read by {@code str(address)}. */
  MAX_STRLEN(Kind.NUMBER),
  /** The mark in output after a string that was longer than {@link #MAX_STRLEN}. */
  STR_TRUNC_TRAILER(Kind.TEXT),
  /** The maximum number of probe sites of a script. */
  MAX_PROBES(Kind.NUMBER),
  /** The maximum number of iterations of a loop; ply's own. */
  MAX_LOOP_ITERATIONS(Kind.NUMBER),
  /** The maximum number of bytes that {@code cat} prints of a file. */
  MAX_CAT_BYTES(Kind.NUMBER),
  /** The mode of stack traces without one: {@code bpftrace}, {@code perf}, {@code raw}, … */
  STACK_MODE(Kind.STACK_MODE),
  /** Whether stack traces without a mode have source lines. */
  SHOW_DEBUG_INFO(Kind.TRUTH),
  /** The handling of probes that the machine lacks or refuses. */
  MISSING_PROBES(Kind.REACTION),
  /** Whether Java runtimes without a perf map are asked to write one. */
  WRITE_PERF_MAPS(Kind.TRUTH),
  /** Whether maps are printed when the trace stops. */
  PRINT_MAPS_ON_EXIT(Kind.TRUTH),
  /** No effect. */
  CACHE_USER_SYMBOLS(Kind.WITHOUT_EFFECT),
  /** Whether functions of C++ and Rust are shown by their names, not by their symbols. */
  CPP_DEMANGLE(Kind.TRUTH),
  /** No effect. */
  LAZY_SYMBOLICATION(Kind.WITHOUT_EFFECT),
  /** No effect: programs are loaded under the GPL, with which all of its values are compatible. */
  LICENSE(Kind.LICENSE),
  /** No effect. */
  LOG_SIZE(Kind.WITHOUT_EFFECT),
  /** No effect. */
  MAX_AST_NODES(Kind.WITHOUT_EFFECT),
  /** No effect. */
  MAX_BPF_PROGS(Kind.WITHOUT_EFFECT),
  /** No effect. */
  MAX_TYPE_RES_ITERATIONS(Kind.WITHOUT_EFFECT),
  /** No effect. */
  ON_STACK_LIMIT(Kind.WITHOUT_EFFECT),
  /** No effect. */
  SYMBOL_SOURCE(Kind.WITHOUT_EFFECT),
  /** No effect: nothing that is there is unstable. */
  UNSTABLE_ADDR(Kind.WITHOUT_EFFECT),
  /** No effect. */
  UNSTABLE_DW_USTACK(Kind.WITHOUT_EFFECT),
  /** No effect. */
  UNSTABLE_IMPORT(Kind.WITHOUT_EFFECT),
  /** No effect. */
  UNSTABLE_IMPORT_STATEMENT(Kind.WITHOUT_EFFECT),
  /** No effect. */
  UNSTABLE_MACRO(Kind.WITHOUT_EFFECT),
  /** No effect. */
  UNSTABLE_MAP_DECL(Kind.WITHOUT_EFFECT),
  /** No effect. */
  UNSTABLE_TSERIES(Kind.WITHOUT_EFFECT),
  /** No effect. */
  UNSTABLE_TYPEINFO(Kind.WITHOUT_EFFECT),
  /** No effect. */
  USE_BLAZESYM(Kind.WITHOUT_EFFECT);

  /** The kind of a setting's values. */
  public enum Kind {
    /** A positive 32-bit number. */
    NUMBER("a number above 0"),
    /** One of true, false, 1 and 0. */
    TRUTH("true or false", "true", "false", "1", "0"),
    /** A print format of stack traces. */
    STACK_MODE(
        "bpftrace, lines, perf, raw, build_id, functions or ply",
        "bpftrace",
        "lines",
        "perf",
        "raw",
        "build_id",
        "functions",
        "ply"),
    /** The reaction to something missing. */
    REACTION("error, warn or ignore", "error", "warn", "ignore"),
    /** Any string. */
    TEXT("a string"),
    /** A license that is compatible with the GPL (include/linux/license.h). */
    LICENSE(
        "\"GPL\", \"GPL v2\", \"GPL and additional rights\", \"Dual BSD/GPL\", \"Dual MIT/GPL\" or"
            + " \"Dual MPL/GPL\"",
        "GPL",
        "GPL v2",
        "GPL and additional rights",
        "Dual BSD/GPL",
        "Dual MIT/GPL",
        "Dual MPL/GPL"),
    /** Any value; ignored. */
    WITHOUT_EFFECT("anything");

    private final String description;
    private final ImmutableList<String> values;

    Kind(String description, String... values) {
      this.description = description;
      this.values = ImmutableList.copyOf(values);
    }

    /** {@return a description of valid values, for messages} */
    public String description() {
      return description;
    }

    /**
     * {@return whether a value is valid}
     *
     * @param value as scripts write it
     */
    public boolean accepts(String value) {
      if (this == NUMBER) {
        try {
          return Integer.parseInt(value) > 0;
        } catch (NumberFormatException e) {
          return false;
        }
      }
      return this == TEXT || this == WITHOUT_EFFECT || values.contains(value);
    }
  }

  private static final String ENVIRONMENT = "bpftrace_";

  private final Kind kind;

  Setting(Kind kind) {
    this.kind = kind;
  }

  /** {@return the kind of values} */
  public Kind kind() {
    return kind;
  }

  /**
   * {@return the setting of a name, in scripts or of bpftrace's environment variable}
   *
   * @param name in any case
   */
  public static Optional<Setting> named(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    String plain = lower.startsWith(ENVIRONMENT) ? lower.substring(ENVIRONMENT.length()) : lower;
    return Stream.of(values()).filter(setting -> setting.toString().equals(plain)).findFirst();
  }

  /** {@return the names of all settings} */
  public static Stream<String> names() {
    return Stream.of(values()).map(Setting::toString);
  }

  /** Returns the name that scripts use. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
