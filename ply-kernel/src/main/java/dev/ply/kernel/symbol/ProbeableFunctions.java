package dev.ply.kernel.symbol;

import dev.ply.kernel.symbol.KallsymsSymbols.Located;
import dev.ply.selector.Glob;
import dev.ply.selector.KernelSelector;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.KernelSymbols.Extent;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The probeable functions of the running kernel and its modules: those that ftrace can trace and
 * that are not on the kprobe blacklist. Where ftrace's list cannot be read, all functions are
 * assumed to be probeable.
 *
 * <p>Compiler-generated clones, whose names contain a dot, and init functions are left out. Lists
 * are read anew each time, since modules come and go.
 */
public final class ProbeableFunctions implements FunctionCatalog {
  private static final String KERNEL = "vmlinux";

  /** The names of overridden weak functions in ftrace's list. */
  private static final String OVERRIDDEN = "__ftrace_invalid_address__";

  private static final Path BLACKLIST = Path.of("/sys/kernel/debug/kprobes/blacklist");

  private final KallsymsSymbols symbols;
  private final FtraceFunctions traceable;
  private final BooleanSupplier tracerFindsNames;
  private final Path blacklist;

  /**
   * Creates a catalog.
   *
   * @param traceable ftrace's list
   * @param tracerFindsNames whether kprobe.multi resolves names in this list, and single kprobes
   *     are refused for ambiguous names
   */
  public ProbeableFunctions(
      KallsymsSymbols symbols, FtraceFunctions traceable, BooleanSupplier tracerFindsNames) {
    this(symbols, traceable, tracerFindsNames, BLACKLIST);
  }

  ProbeableFunctions(
      KallsymsSymbols symbols,
      FtraceFunctions traceable,
      BooleanSupplier tracerFindsNames,
      Path blacklist) {
    this.symbols = symbols;
    this.traceable = traceable;
    this.tracerFindsNames = tracerFindsNames;
    this.blacklist = blacklist;
  }

  /**
   * {@inheritDoc} Reads the table of all symbols, which is slow, only if ftrace's list has one
   * match or none: a single function is attached by a mechanism that resolves its name elsewhere.
   */
  @Override
  public Selection selectTraced(KernelSelector.Functions pattern) {
    if (tracerFindsNames.getAsBoolean()) {
      Map<String, Integer> listed = traceable(pattern).orElse(Map.of());
      if (listed.size() > 1) {
        return select(pattern, listed, forbidden(pattern));
      }
    }
    return select(pattern);
  }

  private Selection select(
      KernelSelector.Functions pattern, Map<String, Integer> listed, Set<String> forbidden) {
    List<KernelSelector.Function> functions = new ArrayList<>();
    List<KernelSelector.Address> shared = new ArrayList<>();
    int untraceable = 0;
    int ambiguous = 0;
    for (String place : sorted(listed.keySet())) {
      String name = place.substring(place.indexOf(':') + 1);
      if (!isWhole(name) || forbidden.contains(name)) {
        untraceable++;
      } else if (listed.getOrDefault(place, 0) > 1) {
        List<Located> all =
            symbols.located(new Glob(name)).stream()
                .filter(one -> isFunction(one) && isOf(pattern.module(), one.module()))
                .filter(one -> name(pattern, one.name(), one.module()).equals(place))
                .toList();
        ambiguous += share(all, place, shared);
      } else {
        functions.add(function(place));
      }
    }
    return new Selection(functions, untraceable, ambiguous, shared);
  }

  /** Adds the functions of a name by their addresses; returns 1 where these are unknown. */
  private static int share(List<Located> all, String place, List<KernelSelector.Address> shared) {
    if (all.isEmpty() || all.stream().anyMatch(one -> one.address() == 0)) {
      return 1;
    }
    all.forEach(one -> shared.add(new KernelSelector.Address(one.address(), Optional.of(place))));
    return 0;
  }

  private static List<String> sorted(Set<String> names) {
    List<String> sorted = new ArrayList<>(names);
    Collections.sort(sorted);
    return sorted;
  }

  @Override
  public Selection select(KernelSelector.Functions pattern) {
    Map<String, List<Located>> byName = new TreeMap<>();
    symbols.located(pattern.name()).stream()
        .filter(located -> isFunction(located) && isOf(pattern.module(), located.module()))
        .forEach(
            located ->
                byName
                    .computeIfAbsent(
                        name(pattern, located.name(), located.module()), key -> new ArrayList<>())
                    .add(located));
    if (byName.isEmpty()) {
      return new Selection(List.of(), 0, 0);
    }
    Optional<Map<String, Integer>> listed = traceable(pattern);
    Set<String> forbidden = forbidden(pattern);
    // ftrace's list has no init functions.
    Optional<Extent> initial = listed.isPresent() ? Optional.empty() : initial();
    List<KernelSelector.Function> functions = new ArrayList<>();
    List<KernelSelector.Address> shared = new ArrayList<>();
    int untraceable = 0;
    int ambiguous = 0;
    for (Map.Entry<String, List<Located>> entry : byName.entrySet()) {
      Located first = entry.getValue().get(0);
      boolean isProbeable =
          isWhole(first.name())
              && !forbidden.contains(first.name())
              && listed.map(names -> names.containsKey(entry.getKey())).orElse(true)
              && initial.filter(extent -> isIn(extent, first.address())).isEmpty();
      if (!isProbeable) {
        untraceable++;
      } else if (entry.getValue().size() > 1) {
        ambiguous += share(entry.getValue(), entry.getKey(), shared);
      } else {
        functions.add(function(entry.getKey()));
      }
    }
    return new Selection(functions, untraceable, ambiguous, shared);
  }

  /** The table also has parts of functions, padding and BPF programs. */
  private static boolean isFunction(Located located) {
    return KernelSelector.Function.isName(located.name())
        && !located.name().startsWith("__pfx_")
        && !located.name().startsWith("__cfi_")
        && !located.name().contains(".cold")
        && !located.module().equals("bpf")
        && !located.module().startsWith("__builtin__");
  }

  /** Clones and parts of functions have a dot in their names. */
  private static boolean isWhole(String name) {
    return name.indexOf('.') < 0 && KernelSelector.Function.isName(name);
  }

  private static KernelSelector.Function function(String place) {
    int colon = place.indexOf(':');
    return colon < 0
        ? new KernelSelector.Function(place)
        : new KernelSelector.Function(
            Optional.of(place.substring(0, colon)), place.substring(colon + 1));
  }

  private static boolean isOf(Optional<Glob> wanted, String module) {
    return wanted.isEmpty() || wanted.get().matches(module.isEmpty() ? KERNEL : module);
  }

  /** If a pattern names modules, functions of different modules can have the same name. */
  private static String name(KernelSelector.Functions pattern, String name, String module) {
    return pattern.module().isEmpty() || module.isEmpty() ? name : module + ":" + name;
  }

  /**
   * Parses lines such as {@code vfs_read} and {@code ext4_sync_file [ext4]}: the number of
   * functions of each name.
   */
  private Optional<Map<String, Integer>> traceable(KernelSelector.Functions pattern) {
    Map<String, Integer> names = new HashMap<>();
    try {
      FunctionList.ofTracer(traceable.lines(pattern.name()))
          .visit(
              pattern.name(),
              (name, module, line) -> {
                if (!name.startsWith(OVERRIDDEN) && isOf(pattern.module(), module)) {
                  names.merge(name(pattern, name, module), 1, Integer::sum);
                }
              });
    } catch (IOException | UnreadableTargetException e) {
      return Optional.empty();
    }
    return Optional.of(names);
  }

  /** Parses lines of an address range and a name. */
  private Set<String> forbidden(KernelSelector.Functions pattern) {
    Set<String> names = new HashSet<>();
    try {
      FunctionList.ofBlacklist(FunctionList.read(blacklist))
          .visit(pattern.name(), (name, module, line) -> names.add(name));
    } catch (IOException e) {
      // Not all kernels show the list; attaching to these functions is refused anyway.
      return Set.of();
    }
    return names;
  }

  private Optional<Extent> initial() {
    List<Extent> start = symbols.named("_sinittext");
    List<Extent> end = symbols.named("_einittext");
    return start.size() == 1 && end.size() == 1
        ? Optional.of(
            new Extent(start.get(0).address(), end.get(0).address() - start.get(0).address()))
        : Optional.empty();
  }

  private static boolean isIn(Extent extent, long address) {
    return Long.compareUnsigned(address - extent.address(), extent.size()) < 0;
  }
}
