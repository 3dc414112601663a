package dev.ply.cli;

import dev.ply.diagnostic.Suggestions;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.PerfCounter;
import dev.ply.probe.Provider;
import dev.ply.selector.Glob;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.RawTracepointSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import dev.ply.type.Escapes;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lists the probes of a machine that match a pattern: {@code tracepoint:sched:*}, {@code
 * uprobe:bash:read*}, or {@code *open*} for all providers of the kernel; and types, {@code struct
 * task_*}.
 */
final class ProbeListing {
  /** Listed for patterns without a provider: the kernel's, each event once. */
  private static final Set<Provider> KERNEL =
      EnumSet.of(Provider.HARDWARE, Provider.SOFTWARE, Provider.TRACEPOINT, Provider.KPROBE);

  /** Listed by bpftrace for patterns without a provider. */
  private static final Set<Provider> ALL_OF_KERNEL =
      EnumSet.of(
          Provider.HARDWARE,
          Provider.SOFTWARE,
          Provider.TRACEPOINT,
          Provider.RAW_TRACEPOINT,
          Provider.KPROBE,
          Provider.FENTRY,
          Provider.ITERATOR);

  /** The units of timers. */
  static final List<String> UNITS = List.of("hz:", "ms:", "s:", "us:");

  /** Separates patterns, but not the parameters of a C++ function. */
  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  /**
   * Tracepoints of ftrace's own (kernel/trace/trace_syscalls.c), which programs cannot attach to
   * raw.
   */
  private static final String SYSCALLS = "syscalls:";

  /** The module of the kernel's own functions. */
  static final String KERNEL_ITSELF = "vmlinux";

  /** The special characters of patterns. */
  private static final Pattern GLOB = Pattern.compile("[*?\\[\\]!@+()|]");

  /** Keyword and tag of a type. */
  private static final Pattern TYPE = Pattern.compile("\\s*(struct|union|enum)\\s+\\S+\\s*");

  /** Probes that scripts define; nothing on the machine lists them. */
  private static final Set<Provider> DEFINED_BY_SCRIPTS =
      EnumSet.of(
          Provider.PROFILE,
          Provider.INTERVAL,
          Provider.WATCHPOINT,
          Provider.BEGIN,
          Provider.END,
          Provider.SELF,
          Provider.TEST,
          Provider.BENCH);

  private final Target target;
  private final Console console;
  private final boolean withFields;
  private final FrontEnd frontEnd;

  /** The names of the typed functions of modules. */
  private final Map<String, Set<String>> typedFunctions = new HashMap<>();

  /**
   * Creates a list of {@code target}'s probes, with what their clauses can read if requested.
   *
   * @param frontEnd whose names probes have
   */
  ProbeListing(Target target, Console console, boolean withFields, FrontEnd frontEnd) {
    this.target = target;
    this.console = console;
    this.withFields = withFields;
    this.frontEnd = frontEnd;
  }

  /**
   * Prints the probes that match any pattern, all without patterns, and returns the exit status.
   *
   * @throws UsageException for an invalid pattern
   */
  int runAll(List<String> patterns) throws UsageException {
    int status = ExitCode.OK;
    for (String pattern : patterns.isEmpty() ? List.of("*") : patterns) {
      for (String part : COMMA.split(pattern, -1)) {
        status = Math.max(status, run(part.strip()));
      }
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
      String hints = String.join("; ", e.hints());
      throw new UsageException(e.getMessage() + (hints.isEmpty() ? "" : ": " + hints));
    }
  }

  private int list(String pattern) throws UsageException {
    int colon = pattern.indexOf(':');
    int printed = 0;
    if (TYPE.matcher(pattern).matches()) {
      return listTypes(pattern);
    }
    if (isProvider(pattern)) {
      return list(pattern + ":*");
    }
    if (colon < 0) {
      for (Provider provider : frontEnd == FrontEnd.BPFTRACE ? ALL_OF_KERNEL : KERNEL) {
        printed += printAll(provider, new Glob(pattern), true);
      }
      if (target.binaries().ownProgram().isPresent()) {
        printed += printUser(Provider.UPROBE, pattern, true);
        printed += printUser(Provider.USDT, pattern, true);
      }
    } else {
      Set<Provider> providers = providers(pattern.substring(0, colon));
      if (providers.isEmpty()) {
        throw new UsageException(
            "unknown provider \""
                + pattern.substring(0, colon)
                + "\": "
                + Suggestions.hint(pattern.substring(0, colon), keywords(), "ply -h lists them")[
                    0]);
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

  /** Prints the structures, unions or enumerations that a pattern selects; with definitions. */
  private int listTypes(String pattern) {
    Glob glob = new Glob(pattern.strip().replaceAll("\\s+", " "));
    List<String> found =
        Glob.isGlob(pattern)
            ? target.types().definitions().stream().filter(glob::matches).sorted().toList()
            : target.types().definition(glob.toString()).map(text -> glob.toString()).stream()
                .toList();
    for (String name : found) {
      console.output().print((withFields ? definition(name) : name) + "\n");
    }
    if (found.isEmpty()) {
      console.error("no type of this kernel matches \"" + pattern + "\": " + similarType(pattern));
      return ExitCode.FAILURE;
    }
    return ExitCode.OK;
  }

  /** Returns what to write instead of a type that the kernel lacks. */
  private String similarType(String pattern) {
    String name = pattern.strip().replaceAll("\\s+", " ");
    String keyword = name.substring(0, name.indexOf(' ') + 1);
    String tag = GLOB.matcher(name.substring(keyword.length())).replaceAll("");
    List<String> all = target.types().definitions();
    Optional<String> nearest =
        Suggestions.nearest(
                tag,
                all.stream()
                    .filter(one -> one.startsWith(keyword))
                    .map(one -> one.substring(keyword.length())))
            .map(keyword::concat)
            .or(() -> all.stream().filter(one -> one.endsWith(" " + tag)).findFirst());
    return nearest
        .map(found -> "did you mean \"" + found + "\"?")
        .orElse(
            all.isEmpty()
                ? "its types are unknown"
                : "for names that contain a word write '" + keyword + "*" + tag + "*'");
  }

  private String definition(String name) {
    String definition = target.types().definition(name).orElseThrow();
    return frontEnd == FrontEnd.BPFTRACE ? KERNEL_ITSELF + ": " + definition : definition;
  }

  private static boolean isProvider(String word) {
    return keywords().anyMatch(word::equals);
  }

  private static Stream<String> keywords() {
    return Stream.of(Provider.values()).map(Provider::keyword);
  }

  /** Returns what to write instead of a pattern without matches. */
  private String hint(String pattern, int colon) {
    Optional<String> similar = similar(literal(pattern, colon), colon);
    if (similar.isPresent()) {
      return "did you mean \"" + similar.get() + "\"?";
    }
    if (colon < 0) {
      return "for names that contain a word write '*" + pattern.replace("*", "") + "*'";
    }
    Set<Provider> providers = providers(pattern.substring(0, colon));
    if (DEFINED_BY_SCRIPTS.containsAll(providers)) {
      return "its probes are what a script defines, as in profile:99hz or interval:1s";
    }
    // Of a tracepoint without its category, of a function with its program.
    int last = pattern.lastIndexOf(':');
    boolean isOfPrograms =
        providers.contains(Provider.UPROBE) || providers.contains(Provider.URETPROBE);
    return "for names that contain a word write '"
        + pattern.substring(0, isOfPrograms ? last : colon)
        + ":*"
        + pattern.substring(last + 1).replace("*", "")
        + "*'";
  }

  /** Returns a pattern without special characters after its provider. */
  private static String literal(String pattern, int colon) {
    return pattern.substring(0, colon + 1)
        + GLOB.matcher(pattern.substring(colon + 1)).replaceAll("");
  }

  /** Returns the probe, or the provider, whose name is most similar to one without matches. */
  private Optional<String> similar(String pattern, int colon) {
    if (colon < 0) {
      Stream<String> events =
          known(Provider.TRACEPOINT).map(name -> name.substring(name.indexOf(':') + 1));
      return Suggestions.nearest(
          pattern, Stream.of(keywords(), events, known(Provider.KPROBE)).flatMap(all -> all));
    }
    String name = pattern.substring(colon + 1);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    for (Provider provider : providers(pattern.substring(0, colon))) {
      if (provider == Provider.UPROBE || provider == Provider.URETPROBE) {
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
              new UserProbeListing(target.binaries(), false)
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
      requireOffered(provider);
      return names(provider, new Glob("*"));
    } catch (UnreadableTargetException e) {
      return Stream.empty();
    }
  }

  /** Returns the providers of a name, a prefix, or a glob. */
  private static Set<Provider> providers(String name) {
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

  private int print(Provider provider, String selector, boolean isOneOfSeveral) {
    return switch (provider) {
      case UPROBE, URETPROBE, USDT -> printUser(provider, selector, isOneOfSeveral);
      default -> printAll(provider, new Glob(selector.isEmpty() ? "*" : selector), isOneOfSeveral);
    };
  }

  /**
   * Prints a provider's probes; unreadable ones are a warning if other providers are listed too.
   */
  private int printAll(Provider provider, Glob pattern, boolean isOneOfSeveral) {
    if (isOneOfSeveral && isFile(pattern.toString())) {
      // Nothing of the kernel has such a name; its lists take seconds to read.
      return 0;
    }
    try {
      requireOffered(provider);
      return print(provider, names(provider, pattern).toList());
    } catch (UnreadableTargetException e) {
      if (!isOneOfSeveral) {
        throw e;
      }
      console.warning("no " + provider.keyword() + " is listed: " + e.getMessage());
      return 0;
    }
  }

  /** What this machine cannot attach is not listed, but why it cannot is said. */
  private void requireOffered(Provider provider) {
    Optional<String> reason = target.attachFeatures().lacking(provider);
    if (reason.isPresent()) {
      throw new UnreadableTargetException(reason.get());
    }
  }

  private Stream<String> names(Provider provider, Glob pattern) {
    return switch (provider) {
      case KPROBE, KRETPROBE -> functions(pattern);
      case FENTRY, FEXIT -> typedFunctions(pattern);
      case TRACEPOINT -> target.tracepoints().names().filter(name -> matches(pattern, name));
      case RAW_TRACEPOINT ->
          target
              .tracepoints()
              .names()
              .filter(name -> !name.startsWith(SYSCALLS))
              .map(name -> name.substring(name.indexOf(':') + 1))
              .filter(name -> matchesRaw(pattern, name))
              .distinct()
              .sorted();
      case SOFTWARE -> counters(PerfCounter.Source.SOFTWARE, pattern);
      case HARDWARE -> counters(PerfCounter.Source.HARDWARE, pattern);
      case ITERATOR -> iterators(pattern);
      case PROFILE, INTERVAL ->
          frontEnd == FrontEnd.BPFTRACE
              ? UNITS.stream().filter(unit -> matchesEvent(pattern, unit))
              : Stream.empty();
      case WATCHPOINT, BEGIN, END, SELF, TEST, BENCH, UPROBE, URETPROBE, USDT -> Stream.empty();
    };
  }

  /** Returns whether a raw tracepoint matches, with its module or without. */
  private boolean matchesRaw(Glob pattern, String event) {
    int colon = pattern.toString().indexOf(':');
    if (colon < 0) {
      return pattern.matches(event);
    }
    String module = pattern.toString().substring(0, colon);
    boolean isMeant =
        new Glob(module).matches(RawTracepointSelector.KERNEL)
            ? target.types().rawTracepointProbe(event).isPresent()
            : target.types().module(module).functionNames().contains("__traceiter_" + event);
    return isMeant && new Glob(pattern.toString().substring(colon + 1)).matches(event);
  }

  /** Returns whether a tracepoint matches, by its whole name or the event's. */
  private static boolean matches(Glob pattern, String name) {
    return pattern.matches(name)
        || (pattern.toString().indexOf(':') < 0
            && pattern.matches(name.substring(name.indexOf(':') + 1)));
  }

  private Stream<String> functions(Glob pattern) {
    FunctionCatalog.Selection found = target.functions().select(selector(pattern));
    return Stream.<KernelSelector>concat(found.functions().stream(), found.shared().stream())
        .map(KernelSelector::text)
        .distinct()
        .sorted();
  }

  private Stream<KernelSelector.Function> functions(KernelSelector.Functions selector) {
    return target.functions().select(selector).functions().stream();
  }

  /** Returns the functions of {@code vfs_*} and {@code ext4:*}. */
  private static KernelSelector.Functions selector(Glob pattern) {
    String text = pattern.toString();
    int colon = text.indexOf(':');
    return colon < 0
        ? new KernelSelector.Functions(text)
        : new KernelSelector.Functions(
            Optional.of(new Glob(text.substring(0, colon))), new Glob(text.substring(colon + 1)));
  }

  /** Returns the functions with types in BTF; those of bpftrace have their module's name. */
  private Stream<String> typedFunctions(Glob pattern) {
    KernelSelector.Functions own = selector(pattern);
    boolean isNamed = frontEnd == FrontEnd.BPFTRACE;
    KernelSelector.Functions selector =
        isNamed && own.module().isEmpty()
            ? new KernelSelector.Functions(Optional.of(new Glob("*")), own.name())
            : own;
    return functions(selector)
        .filter(
            function ->
                typedFunctions(function.module().orElse(KERNEL_ITSELF)).contains(function.name()))
        .map(
            function ->
                isNamed && function.module().isEmpty()
                    ? KERNEL_ITSELF + ":" + function.name()
                    : function.text());
  }

  private Set<String> typedFunctions(String module) {
    return typedFunctions.computeIfAbsent(
        module,
        name ->
            name.equals(KERNEL_ITSELF)
                ? target.types().functionNames()
                : target.types().module(name).functionNames());
  }

  /** Returns the kinds of objects of which BTF has what their iterators pass to programs. */
  private Stream<String> iterators(Glob pattern) {
    return target
        .symbols()
        .names()
        .filter(name -> name.startsWith(AttachPoint.Iterator.TYPES))
        .map(name -> name.substring(AttachPoint.Iterator.TYPES.length()))
        .filter(pattern::matches)
        .filter(kind -> target.types().struct(AttachPoint.Iterator.TYPES + "_" + kind).isPresent())
        .distinct()
        .sorted();
  }

  /** Returns counters; those of bpftrace by all their names, with a colon before the period. */
  private Stream<String> counters(PerfCounter.Source source, Glob pattern) {
    Stream<PerfCounter> all =
        Stream.of(PerfCounter.values()).filter(counter -> counter.source() == source);
    return frontEnd == FrontEnd.BPFTRACE
        ? all.flatMap(counter -> counter.names().stream())
            .map(name -> name + ":")
            .filter(name -> matchesEvent(pattern, name))
            .sorted()
        : all.map(PerfCounter::text).filter(pattern::matches);
  }

  /** Returns whether the name of an event matches, with its colon at the end or without. */
  private static boolean matchesEvent(Glob pattern, String name) {
    return pattern.matches(name) || pattern.matches(name.substring(0, name.length() - 1));
  }

  /** Prints the probes of programs; what is no pattern of them has none, beside others. */
  private int printUser(Provider provider, String selector, boolean isOneOfSeveral) {
    if (isOneOfSeveral && (provider == Provider.URETPROBE || !isOfPrograms(selector))) {
      return 0;
    }
    UserProbeListing users = new UserProbeListing(target.binaries(), frontEnd != FrontEnd.BPFTRACE);
    requireOffered(provider);
    try {
      Stream<String> names =
          provider == Provider.USDT ? users.marks(selector) : users.functions(selector);
      int printed =
          provider != Provider.USDT && withFields
              ? printDeclared(provider, names.toList())
              : names.mapToInt(name -> print(provider, List.of(name))).sum();
      warnOfUnreadable(selector, users.unreadable());
      return printed;
    } catch (InvalidSelectorException | ProbeSiteNotFoundException e) {
      if (isOneOfSeveral) {
        return 0;
      }
      throw e;
    }
  }

  private void warnOfUnreadable(String selector, List<String> reasons) {
    if (!reasons.isEmpty()) {
      String files = reasons.size() == 1 ? "1 file" : reasons.size() + " files";
      console.warning(
          files
              + " that "
              + selector
              + " means "
              + (reasons.size() == 1 ? "is" : "are")
              + " left out: "
              + reasons.get(0));
    }
  }

  /** Prints functions of programs with their parameters, or results, where these are described. */
  private int printDeclared(Provider provider, List<String> names) {
    Map<String, UserSelector> places = new LinkedHashMap<>();
    for (String name : names) {
      function(UserSelector.parse(name)).ifPresent(place -> places.put(name, place));
    }
    Map<UserSelector, List<String>> declared =
        target.binaries().declarations(List.copyOf(places.values()));
    for (String name : names) {
      print(provider, name);
      List<String> declarations =
          Optional.ofNullable(places.get(name)).map(declared::get).orElse(List.of());
      for (int i = 0; i < declarations.size(); i++) {
        boolean isResult = i == declarations.size() - 1;
        String declaration = declarations.get(i);
        if (isResult == (provider == Provider.URETPROBE) && !declaration.equals("void")) {
          printField(isResult ? declaration + " retval" : declaration);
        }
      }
    }
    return names.size();
  }

  /** Names of C++ can stand for several functions. */
  private Optional<UserSelector> function(UserSelector place) {
    if (!(place instanceof UserSelector.Pattern pattern)) {
      return Optional.of(place);
    }
    List<UserSelector.Function> functions = target.binaries().select(pattern).functions();
    return functions.size() == 1 ? Optional.of(functions.get(0)) : Optional.empty();
  }

  /** Returns whether a pattern for all providers means programs: one, or those of a process. */
  private boolean isOfPrograms(String selector) {
    return isFile(selector) || target.binaries().ownProgram().isPresent();
  }

  private static boolean isFile(String selector) {
    return selector.contains("/");
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
        case KPROBE, KRETPROBE, FENTRY, FEXIT -> printParameters(provider, name);
        case RAW_TRACEPOINT -> printParameters(provider, "__traceiter_" + name);
        case ITERATOR -> printParameters(provider, AttachPoint.Iterator.TYPES + name);
        default -> {}
      }
    }
  }

  private void printFields(String name) {
    int colon = name.indexOf(':');
    target
        .tracepoints()
        .declarations(name.substring(0, colon), name.substring(colon + 1))
        .forEach(this::printField);
  }

  private void printParameters(Provider provider, String name) {
    new FunctionFields(target.types())
        .of(provider, name.substring(name.indexOf(':') + 1))
        .forEach(this::printField);
  }

  private void printField(String field) {
    console.output().print(String.format(Locale.ROOT, "    %s%n", Escapes.escape(field)));
  }
}
