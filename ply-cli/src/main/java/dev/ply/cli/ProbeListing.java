package dev.ply.cli;

import dev.ply.ir.Glob;
import dev.ply.ir.InvalidSelectorException;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.PerfCounter;
import dev.ply.ir.Provider;
import dev.ply.ir.UsdtSelector;
import dev.ply.ir.UserSelector;
import dev.ply.target.KernelTypes;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.target.UnreadableTargetException;
import dev.ply.type.Escapes;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lists the probes of a machine that match a pattern: {@code tracepoint:sched:*}, {@code
 * uprobe:bash:read*}, or {@code *open*} for all providers of the kernel.
 */
final class ProbeListing {
  /** Listed for patterns without a provider: the kernel's, each event once. */
  private static final Set<Provider> KERNEL =
      EnumSet.of(Provider.HARDWARE, Provider.SOFTWARE, Provider.TRACEPOINT, Provider.KPROBE);

  /** Probes that scripts define; nothing on the machine lists them. */
  private static final Set<Provider> DEFINED_BY_SCRIPTS =
      EnumSet.of(Provider.PROFILE, Provider.INTERVAL, Provider.BEGIN, Provider.END);

  private final Target target;
  private final Console console;
  private final boolean withFields;

  /** Creates a list of {@code target}'s probes, with what their clauses can read if requested. */
  ProbeListing(Target target, Console console, boolean withFields) {
    this.target = target;
    this.console = console;
    this.withFields = withFields;
  }

  /**
   * Prints the probes that match any pattern, all without patterns, and returns the exit status.
   *
   * @throws UsageException for an invalid pattern
   */
  int runAll(List<String> patterns) throws UsageException {
    int status = ExitCode.OK;
    for (String pattern : patterns.isEmpty() ? List.of("*") : patterns) {
      status = Math.max(status, run(pattern));
    }
    return status;
  }

  /**
   * Prints the probes that match a pattern and returns the exit status: 1 if there are none.
   *
   * @throws UsageException for an invalid pattern
   */
  int run(String pattern) throws UsageException {
    try {
      return list(pattern);
    } catch (InvalidSelectorException e) {
      throw new UsageException(e.getMessage() + ": " + e.hint());
    } catch (ProbeSiteNotFoundException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private int list(String pattern) throws UsageException {
    int colon = pattern.indexOf(':');
    int printed = 0;
    if (isProvider(pattern)) {
      return list(pattern + ":*");
    }
    if (colon < 0) {
      for (Provider provider : KERNEL) {
        printed += printAll(provider, new Glob(pattern), true);
      }
    } else {
      Set<Provider> providers = providers(pattern.substring(0, colon));
      if (providers.isEmpty()) {
        throw new UsageException(
            "unknown provider \"" + pattern.substring(0, colon) + "\": ply -h lists them");
      }
      for (Provider provider : providers) {
        printed += print(provider, pattern.substring(colon + 1), providers.size() > 1);
      }
    }
    if (printed == 0) {
      console.error("no probe matches \"" + pattern + "\": " + hint(pattern, colon));
      return ExitCode.FAILURE;
    }
    return ExitCode.OK;
  }

  private static boolean isProvider(String word) {
    return Stream.of(Provider.values()).anyMatch(provider -> provider.keyword().equals(word));
  }

  /** Returns what to write instead of a pattern without matches. */
  private static String hint(String pattern, int colon) {
    if (colon < 0) {
      return "for names that contain a word write '*" + pattern.replace("*", "") + "*'";
    }
    Set<Provider> providers = providers(pattern.substring(0, colon));
    if (DEFINED_BY_SCRIPTS.containsAll(providers)) {
      return "its probes are what a script defines, as in profile:99hz or interval:1s";
    }
    return "for names that contain a word write '"
        + pattern.substring(0, colon)
        + ":*"
        + pattern.substring(colon + 1).replace("*", "")
        + "*'";
  }

  /** Returns the providers of a name, a prefix, or a glob. */
  private static Set<Provider> providers(String name) {
    Set<Provider> providers = EnumSet.noneOf(Provider.class);
    for (Provider provider : Provider.values()) {
      if (Glob.isGlob(name) && new Glob(name).matches(provider.keyword())) {
        providers.add(provider);
      }
    }
    for (Provider provider : Provider.values()) {
      if (providers.isEmpty() && !name.isEmpty() && provider.keyword().startsWith(name)) {
        providers.add(provider);
      }
    }
    return providers;
  }

  private int print(Provider provider, String selector, boolean isOneOfSeveral) {
    return switch (provider) {
      case UPROBE, URETPROBE -> isOneOfSeveral ? 0 : printUser(provider, selector);
      case USDT -> isOneOfSeveral ? 0 : printUsdt(selector);
      default -> printAll(provider, new Glob(selector.isEmpty() ? "*" : selector), isOneOfSeveral);
    };
  }

  /**
   * Prints a provider's probes; unreadable ones are a warning if other providers are listed too.
   */
  private int printAll(Provider provider, Glob pattern, boolean isOneOfSeveral) {
    try {
      return print(provider, names(provider, pattern).toList());
    } catch (UnreadableTargetException e) {
      if (!isOneOfSeveral) {
        throw e;
      }
      console.warning("no " + provider.keyword() + " is listed: " + e.getMessage());
      return 0;
    }
  }

  private Stream<String> names(Provider provider, Glob pattern) {
    return switch (provider) {
      case KPROBE, KRETPROBE -> functions(pattern);
      case FENTRY, FEXIT ->
          functions(pattern).filter(name -> target.types().function(name).isPresent());
      case TRACEPOINT -> target.tracepoints().names().filter(name -> matches(pattern, name));
      case RAW_TRACEPOINT ->
          target
              .tracepoints()
              .names()
              .map(name -> name.substring(name.indexOf(':') + 1))
              .filter(pattern::matches)
              .distinct()
              .sorted();
      case SOFTWARE -> counters(PerfCounter.Source.SOFTWARE, pattern);
      case HARDWARE -> counters(PerfCounter.Source.HARDWARE, pattern);
      case PROFILE, INTERVAL, BEGIN, END, UPROBE, URETPROBE, USDT -> Stream.empty();
    };
  }

  /** Returns whether a tracepoint matches, by its whole name or the event's. */
  private static boolean matches(Glob pattern, String name) {
    return pattern.matches(name)
        || (pattern.toString().indexOf(':') < 0
            && pattern.matches(name.substring(name.indexOf(':') + 1)));
  }

  private Stream<String> functions(Glob pattern) {
    return target
        .functions()
        .select(new KernelSelector.Functions(pattern.toString()))
        .functions()
        .stream()
        .map(KernelSelector.Function::text);
  }

  private static Stream<String> counters(PerfCounter.Source source, Glob pattern) {
    return Stream.of(PerfCounter.values())
        .filter(counter -> counter.source() == source)
        .map(PerfCounter::text)
        .filter(pattern::matches);
  }

  private int printUser(Provider provider, String selector) {
    UserSelector functions = UserSelector.parse(selector);
    if (functions instanceof UserSelector.Functions pattern) {
      return print(
          provider,
          target.binaries().select(pattern).functions().stream()
              .map(UserSelector.Function::text)
              .toList());
    }
    return print(
        provider,
        target.binaries().locate(functions).stream()
            .map(location -> functions.text())
            .distinct()
            .toList());
  }

  private int printUsdt(String selector) {
    return print(
        Provider.USDT,
        target.binaries().marks(UsdtSelector.parse(selector)).stream()
            .map(probe -> name(probe.place()))
            .distinct()
            .sorted()
            .toList());
  }

  /** Returns a USDT probe's name, regardless of its address. */
  private static String name(UsdtSelector.Location site) {
    return new UsdtSelector.Marks(
            site.binary(), Optional.of(new Glob(site.provider())), new Glob(site.name()))
        .text();
  }

  private int print(Provider provider, List<String> names) {
    names.forEach(name -> print(provider, name));
    return names.size();
  }

  private void print(Provider provider, String name) {
    console.output().print(Escapes.escape(provider.keyword() + ":" + name) + "\n");
    if (withFields) {
      switch (provider) {
        case TRACEPOINT -> printFields(name);
        case FENTRY, FEXIT -> printParameters(provider, name);
        default -> {}
      }
    }
  }

  private void printFields(String name) {
    int colon = name.indexOf(':');
    target
        .tracepoints()
        .find(name.substring(0, colon), name.substring(colon + 1))
        .ifPresent(
            format -> {
              for (TracepointFormat.Field field : format.fields()) {
                if (!field.name().startsWith("common_")) {
                  printField(field.type().name() + " " + field.name());
                }
              }
            });
  }

  private void printParameters(Provider provider, String name) {
    target
        .types()
        .function(name)
        .ifPresent(
            function -> {
              for (KernelTypes.Parameter parameter : function.parameters()) {
                printField(parameter.type().name() + " " + parameter.name());
              }
              if (provider == Provider.FEXIT) {
                printField(function.result().name() + " retval");
              }
            });
  }

  private void printField(String field) {
    console.output().print(String.format(Locale.ROOT, "    %s%n", Escapes.escape(field)));
  }
}
