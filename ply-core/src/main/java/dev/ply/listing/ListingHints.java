package dev.ply.listing;

import dev.ply.diagnostic.Suggestions;
import dev.ply.probe.Provider;
import dev.ply.probe.Provider.Site;
import dev.ply.selector.Glob;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Suggestions for patterns without matches. */
final class ListingHints {
  /** The special characters of patterns. */
  private static final Pattern GLOB = Pattern.compile("[*?\\[\\]!@+()|]");

  private final KernelProbes kernel;
  private final UserProbes programs;

  ListingHints(KernelProbes kernel, UserProbes programs) {
    this.kernel = kernel;
    this.programs = programs;
  }

  /** Returns a pattern without its special characters. */
  static String literal(String pattern) {
    return GLOB.matcher(pattern).replaceAll("");
  }

  /** Returns what to write instead of a pattern. */
  String of(String pattern) {
    int colon = pattern.indexOf(':');
    Optional<String> similar =
        similar(pattern.substring(0, colon + 1) + literal(pattern.substring(colon + 1)), colon);
    if (similar.isPresent()) {
      return "did you mean \"" + similar.get() + "\"?";
    }
    if (colon < 0) {
      return "to match names that contain it, write '*" + pattern.replace("*", "") + "*'";
    }
    Set<Provider> providers = ProbePattern.providers(pattern.substring(0, colon));
    if (providers.stream().allMatch(provider -> provider.site().isDefinedByScripts())) {
      return "its probes are defined by scripts, as in profile:99hz or interval:1s";
    }
    // Of a tracepoint without its category, of a function with its program.
    int last = pattern.lastIndexOf(':');
    boolean isOfPrograms =
        providers.stream().anyMatch(provider -> provider.site() == Site.USER_FUNCTION);
    return "to match names that contain it, write '"
        + pattern.substring(0, isOfPrograms ? last : colon)
        + ":*"
        + pattern.substring(last + 1).replace("*", "")
        + "*'";
  }

  /** Returns the probe, or the provider, whose name is most similar to one without matches. */
  private Optional<String> similar(String pattern, int colon) {
    if (colon < 0) {
      Stream<String> events =
          known(Provider.TRACEPOINT).map(name -> name.substring(name.indexOf(':') + 1));
      return Suggestions.nearest(
          pattern,
          Stream.of(ProbePattern.keywords(), events, known(Provider.KPROBE)).flatMap(all -> all));
    }
    String name = pattern.substring(colon + 1);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    for (Provider provider : ProbePattern.providers(pattern.substring(0, colon))) {
      if (provider.site() == Site.USER_FUNCTION) {
        return similarFunction(provider, name);
      }
      // Of a tracepoint without its category, the event is compared.
      boolean isEvent = provider == Provider.TRACEPOINT && name.indexOf(':') < 0;
      Optional<String> nearest =
          Suggestions.nearest(
              name,
              known(provider)
                  .map(known -> isEvent ? known.substring(known.indexOf(':') + 1) : known));
      if (nearest.isPresent()) {
        return nearest.map(found -> provider.keyword() + ":" + found);
      }
    }
    return Optional.empty();
  }

  /** Returns the function of a program whose name is the most similar. */
  private Optional<String> similarFunction(Provider provider, String name) {
    int last = name.lastIndexOf(':');
    if (last < 0) {
      return Optional.empty();
    }
    String program = name.substring(0, last + 1);
    try {
      return Suggestions.nearest(
              name.substring(last + 1),
              programs
                  .functions(program + "*")
                  .filter(text -> text.startsWith(program))
                  .map(text -> text.substring(program.length())))
          .map(found -> provider.keyword() + ":" + program + found);
    } catch (InvalidSelectorException | ProbeSiteNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Returns the names of all probes of a provider, none if they cannot be read. */
  private Stream<String> known(Provider provider) {
    try {
      return kernel.names(provider, new Glob("*"));
    } catch (UnreadableTargetException e) {
      return Stream.empty();
    }
  }
}
