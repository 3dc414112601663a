package dev.ply.kernel.symbol;

import dev.ply.target.KernelSymbols;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the running kernel and its modules, read when first asked for. Without
 * privileges the kernel shows names but no addresses ({@code kernel.kptr_restrict}). Thread-safe.
 */
public final class KallsymsSymbols implements KernelSymbols {
  private static final Path KALLSYMS = Path.of("/proc/kallsyms");

  private final Path file;
  private volatile @Nullable SymbolTable table;

  /** Stands for the table of the running kernel. */
  public KallsymsSymbols() {
    this(KALLSYMS);
  }

  KallsymsSymbols(Path file) {
    this.file = file;
  }

  @Override
  public Optional<Symbol> at(long address) {
    if (!hasAddresses()) {
      return Optional.empty();
    }
    SymbolTable symbols = table();
    return symbols.function(address).stream()
        .mapToObj(i -> new Symbol(symbols.name(i), address - symbols.address(i)))
        .findFirst();
  }

  @Override
  public Stream<String> names() {
    return functions().mapToObj(table()::name);
  }

  @Override
  public List<Extent> named(String name) {
    if (!hasAddresses()) {
      return List.of();
    }
    SymbolTable symbols = table();
    return functions()
        .filter(i -> symbols.name(i).equals(name))
        .mapToObj(i -> new Extent(symbols.address(i), symbols.size(i)))
        .toList();
  }

  /**
   * A function and its place.
   *
   * @param module empty for the kernel itself
   * @param address 0 where the kernel does not show it
   */
  record Located(String name, String module, long address) {}

  /** Returns the functions of the kernel and its modules whose names are wanted. */
  Stream<Located> located(Predicate<String> wanted) {
    SymbolTable symbols = table();
    return functions()
        .filter(i -> wanted.test(symbols.name(i)))
        .mapToObj(i -> new Located(symbols.name(i), symbols.module(i), symbols.address(i)));
  }

  private IntStream functions() {
    SymbolTable symbols = table();
    return IntStream.range(0, symbols.size()).filter(symbols::hasName);
  }

  /** Tells whether the kernel shows addresses; if not, {@link #at} finds nothing. */
  public boolean hasAddresses() {
    SymbolTable symbols = table();
    return symbols.size() > 0 && symbols.address(symbols.size() - 1) != 0;
  }

  private SymbolTable table() {
    SymbolTable known = table;
    if (known == null) {
      synchronized (this) {
        known = table;
        if (known == null) {
          known = KallsymsParser.parse(read());
          table = known;
        }
      }
    }
    return known;
  }

  /** A kernel without a table has no known functions. */
  private byte[] read() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return new byte[0];
    }
  }
}
