package dev.ply.listing;

import dev.ply.probe.AttachPoint;
import dev.ply.probe.OffCpuProbe;
import dev.ply.probe.PerfCounter;
import dev.ply.probe.Provider;
import dev.ply.selector.Glob;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.RawTracepointSelector;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The probes of the kernel that patterns select. */
final class KernelProbes {
  /**
   * Tracepoints of ftrace's own (kernel/trace/trace_syscalls.c), which programs cannot attach to
   * raw.
   */
  private static final String SYSCALLS = "syscalls:";

  /** The prefix of functions that call a raw tracepoint's probes, with its parameters. */
  private static final String TRACE_ITERATOR = "__traceiter_";

  /** The module of the kernel's own functions. */
  private static final String KERNEL = RawTracepointSelector.KERNEL;

  private final Target target;
  private final ProbeNames probeNames;

  /** The names of the typed functions of modules. */
  private final Map<String, Set<String>> typedFunctions = new HashMap<>();

  KernelProbes(Target target, ProbeNames probeNames) {
    this.target = target;
    this.probeNames = probeNames;
  }

  /**
   * Returns the names of the probes that a pattern selects.
   *
   * @throws UnreadableTargetException if this machine cannot attach them: they are not listed, but
   *     why is said
   */
  Stream<String> names(Provider provider, Glob pattern) {
    requireOffered(provider);
    return switch (provider.site()) {
      case FUNCTION -> functions(pattern);
      case TYPED_FUNCTION -> typedFunctions(pattern);
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
      case SOFTWARE_COUNTER -> counters(PerfCounter.Source.SOFTWARE, pattern);
      case HARDWARE_COUNTER -> counters(PerfCounter.Source.HARDWARE, pattern);
      case OBJECTS -> iterators(pattern);
      case TIMER -> probeNames.timers().stream().filter(unit -> matchesEvent(pattern, unit));
      case SCHEDULER ->
          Stream.of(OffCpuProbe.Reason.values())
              .map(OffCpuProbe.Reason::keyword)
              .filter(reason -> matchesEvent(pattern, reason));
      case MEMORY, TRACER, USER_FUNCTION, USDT -> Stream.empty();
    };
  }

  /** Throws if this machine cannot attach probes of a provider. */
  void requireOffered(Provider provider) {
    Optional<String> reason = target.attachFeatures().lacking(provider);
    if (reason.isPresent()) {
      throw new UnreadableTargetException(reason.get());
    }
  }

  /** Returns what clauses can read, as C declares it. */
  List<String> fields(Provider provider, String name) {
    return switch (provider.site()) {
      case TRACEPOINT -> {
        int colon = name.indexOf(':');
        yield target
            .tracepoints()
            .declarations(name.substring(0, colon), name.substring(colon + 1));
      }
      case FUNCTION, TYPED_FUNCTION -> parameters(provider, name);
      case RAW_TRACEPOINT -> parameters(provider, TRACE_ITERATOR + name);
      case OBJECTS -> parameters(provider, AttachPoint.Iterator.TYPES + name);
      case USER_FUNCTION,
          USDT,
          TIMER,
          SOFTWARE_COUNTER,
          HARDWARE_COUNTER,
          MEMORY,
          SCHEDULER,
          TRACER ->
          List.of();
    };
  }

  private List<String> parameters(Provider provider, String name) {
    return new FunctionFields(target.types()).of(provider, name.substring(name.indexOf(':') + 1));
  }

  /** Returns whether a raw tracepoint matches, with its module or without. */
  private boolean matchesRaw(Glob pattern, String event) {
    int colon = pattern.toString().indexOf(':');
    if (colon < 0) {
      return pattern.matches(event);
    }
    String module = pattern.toString().substring(0, colon);
    boolean isMeant =
        new Glob(module).matches(KERNEL)
            ? target.types().rawTracepointProbe(event).isPresent()
            : target.types().module(module).functionNames().contains(TRACE_ITERATOR + event);
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

  /** Returns the functions of {@code vfs_*} and {@code ext4:*}. */
  private static KernelSelector.Functions selector(Glob pattern) {
    String text = pattern.toString();
    int colon = text.indexOf(':');
    return colon < 0
        ? new KernelSelector.Functions(text)
        : new KernelSelector.Functions(
            Optional.of(new Glob(text.substring(0, colon))), new Glob(text.substring(colon + 1)));
  }

  /** Returns the functions with types in BTF. */
  private Stream<String> typedFunctions(Glob pattern) {
    KernelSelector.Functions own = selector(pattern);
    boolean isNamed = probeNames.showsModules();
    KernelSelector.Functions selector =
        isNamed && own.module().isEmpty()
            ? new KernelSelector.Functions(Optional.of(new Glob("*")), own.name())
            : own;
    return target.functions().select(selector).functions().stream()
        .filter(
            function -> typedFunctions(function.module().orElse(KERNEL)).contains(function.name()))
        .map(
            function ->
                isNamed && function.module().isEmpty()
                    ? KERNEL + ":" + function.name()
                    : function.text());
  }

  private Set<String> typedFunctions(String module) {
    return typedFunctions.computeIfAbsent(
        module,
        name ->
            name.equals(KERNEL)
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

  private Stream<String> counters(PerfCounter.Source source, Glob pattern) {
    return probeNames.counters(source).filter(name -> matchesEvent(pattern, name));
  }

  /** Returns whether the name of an event matches, with a colon at its end or without. */
  private static boolean matchesEvent(Glob pattern, String name) {
    return pattern.matches(name)
        || (name.endsWith(":") && pattern.matches(name.substring(0, name.length() - 1)));
  }
}
