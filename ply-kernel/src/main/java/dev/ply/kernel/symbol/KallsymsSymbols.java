package dev.ply.kernel.symbol;

import com.google.common.base.Suppliers;
import dev.ply.selector.Glob;
import dev.ply.target.KernelSymbols;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The symbols of the running kernel and its modules, read on first use. Without privileges the
 * kernel shows names but no addresses ({@code kernel.kptr_restrict}). Thread-safe.
 */
public final class KallsymsSymbols implements KernelSymbols {
  private static final Path KALLSYMS = Path.of("/proc/kallsyms");

  private static final int FIRST_BYTES = 4096;

  /** Whether looked-up names are in the list. */
  private final Map<String, Boolean> isListed = new ConcurrentHashMap<>();

  private final Supplier<byte[]> text;
  private final Supplier<SymbolIndex> table;
  private final Supplier<Boolean> hidden;
  private final Supplier<Image> data;

  /** Creates the table of the running kernel, unread. */
  public KallsymsSymbols() {
    this(KALLSYMS);
  }

  KallsymsSymbols(Path file) {
    text = Suppliers.memoize(() -> read(file));
    hidden = Suppliers.memoize(() -> areHidden(file));
    table = Suppliers.memoize(() -> KallsymsParser.parse(text.get()));
    data = Suppliers.memoize(() -> Image.of(table.get()));
  }

  @Override
  public Optional<Symbol> at(long address) {
    if (!hasAddresses()) {
      return Optional.empty();
    }
    SymbolIndex symbols = table();
    return symbols.function(address).stream()
        .mapToObj(i -> new Symbol(symbols.name(i), address - symbols.address(i)))
        .findFirst();
  }

  @Override
  public Optional<Range> rangeAt(long address) {
    if (!hasAddresses()) {
      return Optional.empty();
    }
    SymbolIndex symbols = table();
    // Of several names the kernel uses the first, whatever it is.
    OptionalInt known =
        symbols.function(address).isPresent() || data.get().has(address)
            ? symbols.first(address)
            : moduleData(symbols, address);
    return known.stream()
        .mapToObj(
            i ->
                new Range(
                    symbols.name(i),
                    symbols.module(i),
                    address - symbols.address(i),
                    symbols.size(i)))
        .findFirst();
  }

  private OptionalInt moduleData(SymbolIndex symbols, long address) {
    OptionalInt first = symbols.first(address);
    return data.get().isEmpty() || first.isEmpty() || symbols.module(first.getAsInt()).isEmpty()
        ? OptionalInt.empty()
        : first;
  }

  /**
   * The addresses of the kernel's image, if its table has all symbols (CONFIG_KALLSYMS_ALL); else
   * it names functions only, and so do we.
   */
  private record Image(long start, long end) {
    static final Image NONE = new Image(0, 0);

    static Image of(SymbolIndex symbols) {
      boolean hasVariables = false;
      long start = 0;
      long end = 0;
      for (int i = 0; i < symbols.size(); i++) {
        char kind = symbols.kind(i);
        // Variables of a file alone have small letters.
        hasVariables |= (kind == 'b' || kind == 'd') && symbols.module(i).isEmpty();
        if (symbols.isNamed(i, "_stext")) {
          start = symbols.address(i);
        } else if (symbols.isNamed(i, "_end")) {
          end = symbols.address(i);
        }
      }
      return hasVariables ? new Image(start, end) : NONE;
    }

    boolean isEmpty() {
      return end == 0;
    }

    boolean has(long address) {
      return Long.compareUnsigned(address, start) >= 0 && Long.compareUnsigned(address, end) < 0;
    }
  }

  @Override
  public Stream<String> names() {
    return functions().mapToObj(table()::name);
  }

  /** {@inheritDoc} Searches the list once for each name, without building the table. */
  @Override
  public Set<String> missing(Set<String> names) {
    if (text.get().length == 0) {
      return Set.of();
    }
    Set<String> unknown = new HashSet<>(names);
    unknown.removeAll(isListed.keySet());
    if (!unknown.isEmpty()) {
      // It has copies of the text, which are not kept.
      FunctionList list = FunctionList.ofKallsyms(text.get());
      for (String name : unknown) {
        isListed.put(name, !located(list, new Glob(name)).isEmpty());
      }
    }
    return names.stream()
        .filter(name -> !isListed.getOrDefault(name, false))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<Extent> named(String name) {
    if (!hasAddresses()) {
      return List.of();
    }
    SymbolIndex symbols = table();
    return functions()
        .filter(i -> symbols.isNamed(i, name))
        .mapToObj(i -> new Extent(symbols.address(i), symbols.size(i)))
        .toList();
  }

  @Override
  public List<Long> addresses(String name) {
    byte[] all = text.get();
    List<Long> found = new ArrayList<>();
    FunctionList.ofKallsyms(all)
        .visit(
            new Glob(name), (same, module, line) -> found.add(KallsymsParser.address(all, line)));
    return hidden.get() ? List.of() : found;
  }

  /** {@inheritDoc} Reads the first symbols only. */
  @Override
  public Optional<String> hiddenUnless() {
    return hidden.get() ? Optional.of(HiddenAddresses.required()) : Optional.empty();
  }

  private static boolean areHidden(Path file) {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(FIRST_BYTES);
    } catch (IOException e) {
      return false;
    }
    // On some CPUs, a symbol or two have address zero.
    return start.length > 0
        && new String(start, StandardCharsets.ISO_8859_1)
            .lines()
            .filter(line -> line.indexOf(' ') > 0)
            .allMatch(line -> line.substring(0, line.indexOf(' ')).matches("0+"));
  }

  /**
   * A function and its address.
   *
   * @param module empty for vmlinux
   * @param address 0 where hidden
   */
  record Located(String name, String module, long address) {}

  /**
   * Returns the functions of kernel and modules that match a pattern, without building the table.
   */
  List<Located> located(Glob wanted) {
    return located(FunctionList.ofKallsyms(text.get()), wanted);
  }

  private List<Located> located(FunctionList list, Glob wanted) {
    byte[] all = text.get();
    List<Located> found = new ArrayList<>();
    list.visit(
        wanted,
        (name, module, line) ->
            KallsymsParser.function(all, line)
                .ifPresent(address -> found.add(new Located(name, module, address))));
    return found;
  }

  private IntStream functions() {
    SymbolIndex symbols = table();
    return IntStream.range(0, symbols.size()).filter(symbols::isFunction);
  }

  /** Returns whether addresses are visible; if not, {@link #at} finds nothing. */
  public boolean hasAddresses() {
    SymbolIndex symbols = table();
    return symbols.size() > 0 && symbols.address(symbols.size() - 1) != 0;
  }

  private SymbolIndex table() {
    return table.get();
  }

  /** Kernels without the table have no known functions. */
  private static byte[] read(Path file) {
    try {
      return FunctionList.read(file);
    } catch (IOException e) {
      return new byte[0];
    }
  }
}
