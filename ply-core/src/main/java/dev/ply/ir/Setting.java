package dev.ply.ir;

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
  /** The bytes of a string that {@code str(address)} reads, with its NUL. */
  MAX_STRLEN(Kind.NUMBER),
  /** How stack traces print that name no mode: {@code bpftrace}, {@code perf} or {@code raw}. */
  STACK_MODE(Kind.STACK_MODE),
  /** Whether probes on functions that the kernel does not have are an error. */
  MISSING_PROBES(Kind.REACTION),
  /** Whether maps are printed when the trace stops. */
  PRINT_MAPS_ON_EXIT(Kind.TRUTH),
  /** No effect. */
  CACHE_USER_SYMBOLS(Kind.WITHOUT_EFFECT),
  /** No effect. */
  CPP_DEMANGLE(Kind.WITHOUT_EFFECT),
  /** No effect. */
  LAZY_SYMBOLICATION(Kind.WITHOUT_EFFECT),
  /** No effect. */
  LICENSE(Kind.WITHOUT_EFFECT),
  /** No effect. */
  LOG_SIZE(Kind.WITHOUT_EFFECT),
  /** No effect. */
  MAX_AST_NODES(Kind.WITHOUT_EFFECT),
  /** No effect. */
  MAX_BPF_PROGS(Kind.WITHOUT_EFFECT),
  /** No effect. */
  MAX_CAT_BYTES(Kind.WITHOUT_EFFECT),
  /** No effect. */
  MAX_PROBES(Kind.WITHOUT_EFFECT),
  /** No effect. */
  ON_STACK_LIMIT(Kind.WITHOUT_EFFECT),
  /** No effect. */
  SHOW_DEBUG_INFO(Kind.WITHOUT_EFFECT),
  /** No effect. */
  STR_TRUNC_TRAILER(Kind.WITHOUT_EFFECT),
  /** No effect. */
  SYMBOL_SOURCE(Kind.WITHOUT_EFFECT),
  /** No effect. */
  USE_BLAZESYM(Kind.WITHOUT_EFFECT);

  /** What a setting takes. */
  public enum Kind {
    /** A positive number of 32 bits. */
    NUMBER("a number above 0"),
    /** One of true, false, 1 and 0. */
    TRUTH("true or false", "true", "false", "1", "0"),
    /** A way to print stack traces. */
    STACK_MODE("bpftrace, perf, raw or ply", "bpftrace", "perf", "raw", "ply"),
    /** What to do about something missing. */
    REACTION("error, warn or ignore", "error", "warn", "ignore"),
    /** Anything. */
    WITHOUT_EFFECT("anything");

    private final String description;
    private final ImmutableList<String> values;

    Kind(String description, String... values) {
      this.description = description;
      this.values = ImmutableList.copyOf(values);
    }

    /** Returns what values are, for a message. */
    public String description() {
      return description;
    }

    /** Returns whether a setting of this kind takes a value. */
    public boolean accepts(String value) {
      if (this == NUMBER) {
        try {
          return Integer.parseInt(value) > 0;
        } catch (NumberFormatException e) {
          return false;
        }
      }
      return this == WITHOUT_EFFECT || values.contains(value);
    }
  }

  private static final String ENVIRONMENT = "bpftrace_";

  private final Kind kind;

  Setting(Kind kind) {
    this.kind = kind;
  }

  /** Returns what the setting takes. */
  public Kind kind() {
    return kind;
  }

  /** Returns the setting of a name, which may be that of bpftrace's environment variable. */
  public static Optional<Setting> named(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    String plain = lower.startsWith(ENVIRONMENT) ? lower.substring(ENVIRONMENT.length()) : lower;
    return Stream.of(values()).filter(setting -> setting.toString().equals(plain)).findFirst();
  }

  /** Returns the names of all settings. */
  public static Stream<String> names() {
    return Stream.of(values()).map(Setting::toString);
  }

  /** Returns the name that scripts use. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
