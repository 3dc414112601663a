package dev.ply.listing;

import dev.ply.diagnostic.Suggestions;
import dev.ply.probe.Provider;
import dev.ply.probe.Provider.Site;
import dev.ply.probe.Provider.Trait;
import dev.ply.selector.Glob;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Lists what a machine has of a pattern: probes, {@code tracepoint:sched:*}, {@code
 * uprobe:bash:read*}, or {@code *open*} for all providers of the kernel; and types, {@code struct
 * task_*}. Not thread-safe.
 */
public final class ProbeListing {
  private final Target target;
  private final ProbeNames probeNames;
  private final Detail detail;
  private final KernelProbes kernel;

  /** The form in which a pattern selects a provider's probes. */
  private enum Asked {
    /** Alone: that they cannot be listed is a failure. */
    BY_NAME,
    /** As one of several, which are listed even if others cannot be. */
    AMONG_OTHERS
  }

  /**
   * Creates lists with ply's names and all details.
   *
   * @param target whose probes are listed
   */
  public ProbeListing(Target target) {
    this(target, ProbeNames.PLY, Detail.FIELDS);
  }

  /**
   * Creates the lists of a machine.
   *
   * @param target whose probes are listed
   * @param probeNames the names that they have
   * @param detail what is listed besides names
   */
  public ProbeListing(Target target, ProbeNames probeNames, Detail detail) {
    this.target = target;
    this.probeNames = probeNames;
    this.detail = detail;
    this.kernel = new KernelProbes(target, probeNames);
  }

  /**
   * {@return the patterns of a list that commas separate}
   *
   * @param patterns at least one
   */
  public static List<String> patterns(String patterns) {
    return ProbePattern.each(patterns);
  }

  /**
   * {@return what a pattern selects}
   *
   * @param pattern of probes or types
   * @throws InvalidSelectorException if the syntax is invalid
   * @throws ProbeSiteNotFoundException if it names a program or library that is not there
   * @throws UnreadableTargetException if the machine cannot tell, or cannot attach such probes
   */
  public List<Listed> list(String pattern) {
    List<Listed> entries = new ArrayList<>();
    list(pattern, entries::add);
    return entries;
  }

  /**
   * Lists what a pattern selects, one entry after the other.
   *
   * @param pattern of probes or types
   * @param entries gets each
   * @throws InvalidSelectorException if the syntax is invalid
   * @throws ProbeSiteNotFoundException if it names a program or library that is not there
   * @throws UnreadableTargetException if the machine cannot tell, or cannot attach such probes
   */
  public void list(String pattern, Consumer<? super Listed> entries) {
    int colon = pattern.indexOf(':');
    if (ListedTypes.isMeantBy(pattern)) {
      listTypes(pattern, entries);
    } else if (ProbePattern.isProvider(pattern)) {
      list(pattern + ":*", entries);
    } else if (colon < 0) {
      for (Provider provider : probeNames.ofKernel()) {
        listKernel(provider, new Glob(pattern), Asked.AMONG_OTHERS, entries);
      }
      if (target.binaries().ownProgram().isPresent()) {
        for (Provider provider : Provider.with(Trait.PATTERN)) {
          if (provider.site().isInUserSpace()) {
            listUser(provider, pattern, Asked.AMONG_OTHERS, entries);
          }
        }
      }
    } else {
      Set<Provider> providers = providers(pattern.substring(0, colon));
      Asked asked = providers.size() > 1 ? Asked.AMONG_OTHERS : Asked.BY_NAME;
      for (Provider provider : providers) {
        list(provider, pattern.substring(colon + 1), asked, entries);
      }
    }
  }

  /**
   * {@return that nothing matches a pattern, and what to write instead}
   *
   * @param pattern that selects nothing
   */
  public String nothing(String pattern) {
    if (ListedTypes.isMeantBy(pattern)) {
      return "no type of this kernel matches \""
          + pattern
          + "\": "
          + new ListedTypes(target.types()).hint(pattern);
    }
    String whole = ProbePattern.isProvider(pattern) ? pattern + ":*" : pattern;
    ListingHints hints =
        new ListingHints(kernel, new UserProbes(target.binaries(), CxxNames.LINKED));
    return "no probe matches \"" + whole + "\": " + hints.of(whole);
  }

  private void listTypes(String pattern, Consumer<? super Listed> entries) {
    ListedTypes types = new ListedTypes(target.types());
    for (String name : types.names(pattern)) {
      entries.accept(
          new Listed.Type(
              detail == Detail.FIELDS ? probeNames.definition(types.definition(name)) : name));
    }
  }

  private static Set<Provider> providers(String name) {
    Set<Provider> providers = ProbePattern.providers(name);
    if (providers.isEmpty()) {
      throw new InvalidSelectorException(
          "unknown provider \"" + name + "\"",
          Suggestions.hint(name, ProbePattern.keywords(), "ply -h lists them")[0]);
    }
    return providers;
  }

  private void list(
      Provider provider, String selector, Asked asked, Consumer<? super Listed> entries) {
    if (provider.site().isInUserSpace()) {
      listUser(provider, selector, asked, entries);
    } else {
      listKernel(provider, new Glob(selector.isEmpty() ? "*" : selector), asked, entries);
    }
  }

  private void listKernel(
      Provider provider, Glob pattern, Asked asked, Consumer<? super Listed> entries) {
    if (asked == Asked.AMONG_OTHERS && isFile(pattern.toString())) {
      // Nothing of the kernel has such a name; its lists take seconds to read.
      return;
    }
    try {
      for (String name : kernel.names(provider, pattern).toList()) {
        entries.accept(
            new Listed.Probe(
                provider,
                name,
                detail == Detail.FIELDS ? kernel.fields(provider, name) : List.of()));
      }
    } catch (UnreadableTargetException e) {
      if (asked == Asked.BY_NAME) {
        throw e;
      }
      entries.accept(
          new Listed.LeftOut("no " + provider.keyword() + " is listed: " + e.getMessage()));
    }
  }

  /** Lists probes of programs; among other providers, only if the pattern names programs. */
  private void listUser(
      Provider provider, String selector, Asked asked, Consumer<? super Listed> entries) {
    if (asked == Asked.AMONG_OTHERS && (!provider.has(Trait.PATTERN) || !isOfPrograms(selector))) {
      return;
    }
    UserProbes programs = new UserProbes(target.binaries(), probeNames.cxxNames());
    kernel.requireOffered(provider);
    try {
      Stream<String> names =
          provider.site() == Site.USDT ? programs.marks(selector) : programs.functions(selector);
      if (provider.site() != Site.USDT && detail == Detail.FIELDS) {
        List<String> functions = names.toList();
        Map<String, List<String>> fields = programs.fields(provider, functions);
        for (String name : functions) {
          entries.accept(new Listed.Probe(provider, name, fields.getOrDefault(name, List.of())));
        }
      } else {
        names.forEach(name -> entries.accept(new Listed.Probe(provider, name, List.of())));
      }
      unreadable(selector, programs.unreadable(), entries);
    } catch (InvalidSelectorException | ProbeSiteNotFoundException e) {
      if (asked == Asked.BY_NAME) {
        throw e;
      }
    }
  }

  private static void unreadable(
      String selector, List<String> reasons, Consumer<? super Listed> entries) {
    if (!reasons.isEmpty()) {
      String files = reasons.size() == 1 ? "1 file" : reasons.size() + " files";
      entries.accept(new Listed.LeftOut(selector + " skips " + files + ": " + reasons.get(0)));
    }
  }

  /** Returns whether a pattern for all providers means programs: one, or those of a process. */
  private boolean isOfPrograms(String selector) {
    return isFile(selector) || target.binaries().ownProgram().isPresent();
  }

  private static boolean isFile(String selector) {
    return selector.contains("/");
  }
}
