package dev.ply.listing;

import dev.ply.probe.Provider;
import dev.ply.selector.Glob;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The parts of a pattern of probes. */
final class ProbePattern {
  /** Separates patterns, but not the parameters of a C++ function. */
  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  private ProbePattern() {}

  /** Returns the patterns of a list. */
  static List<String> each(String patterns) {
    return Stream.of(COMMA.split(patterns, -1)).map(String::strip).toList();
  }

  /** Returns the keywords of all providers. */
  static Stream<String> keywords() {
    return Stream.of(Provider.values()).map(Provider::keyword);
  }

  /** Returns whether a word is the keyword of a provider. */
  static boolean isProvider(String word) {
    return keywords().anyMatch(word::equals);
  }

  /** Returns the providers of a name, a prefix, or a glob. */
  static Set<Provider> providers(String name) {
    Set<Provider> providers = EnumSet.noneOf(Provider.class);
    for (Provider provider : Provider.values()) {
      if (Glob.isGlob(name) && new Glob(name).matches(provider.keyword())) {
        providers.add(provider);
      }
    }
    if (providers.isEmpty() && !name.isEmpty()) {
      Provider.named(name).ifPresent(providers::add);
    }
    return providers;
  }
}
