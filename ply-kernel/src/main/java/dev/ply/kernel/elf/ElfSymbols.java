package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The functions, or the variables, named in a file, in primitive arrays, since large files have
 * hundreds of thousands. Immutable.
 */
public final class ElfSymbols {
  /** No functions. */
  public static final ElfSymbols NONE =
      new ElfSymbols(new byte[0], new long[0], new long[0], new int[0], new byte[0]);

  /** Flag: an indirect function (IFUNC). */
  static final int INDIRECT = 1;

  /** Flag: an old version. */
  static final int SUPERSEDED = 2;

  private static final int VARIABLE = 1;
  private static final int FUNCTION = 2;
  private static final int INDIRECT_FUNCTION = 10;
  private static final Set<Integer> FUNCTIONS = Set.of(FUNCTION, INDIRECT_FUNCTION);
  private static final Set<Integer> VARIABLES = Set.of(VARIABLE);

  private static final int SYMBOLS = 2;
  private static final int DYNAMIC_SYMBOLS = 11;

  /** The maximum length of a name in bytes; longer ones are truncated. */
  private static final int LONGEST_NAME = 1 << 12;

  /** The maximum number of functions at one address that a lookup examines. */
  private static final int MOST_ALIASES = 64;

  /**
   * Names can share bytes, as suffixes of others; linkers' output never exceeds this multiple of
   * the table's size.
   */
  private static final long MOST_SHARING = 8;

  private static final long MOST_NAME_BYTES = 1 << 20;

  private final byte[] text;
  private final long[] addresses;
  private final long[] sizes;
  private final int[] names;
  private final byte[] traits;

  /** Sorted by address, then by file order; the arrays are not copied. */
  ElfSymbols(byte[] text, long[] addresses, long[] sizes, int[] names, byte[] traits) {
    this.text = text;
    this.addresses = addresses;
    this.sizes = sizes;
    this.names = names;
    this.traits = traits;
  }

  /** Reads the symbol table of a file; empty if it is stripped. */
  public static Optional<ElfSymbols> ofTable(ElfFile file) throws IOException {
    return SymbolTableReader.read(file, SYMBOLS, FUNCTIONS, Optional.empty());
  }

  /**
   * Reads the variables of a file: those of its symbol table, those that it exports if stripped.
   */
  public static ElfSymbols ofVariables(ElfFile file) throws IOException {
    Optional<ElfSymbols> own = SymbolTableReader.read(file, SYMBOLS, VARIABLES, Optional.empty());
    if (own.isPresent()) {
      return own.get();
    }
    return ofExportedVariables(file);
  }

  /** Reads the variables that a file exports. */
  public static ElfSymbols ofExportedVariables(ElfFile file) throws IOException {
    return SymbolTableReader.read(file, DYNAMIC_SYMBOLS, VARIABLES, file.section(".gnu.version"))
        .orElse(NONE);
  }

  /** Reads the dynamic symbol table of a file; empty for a static program. */
  public static ElfSymbols ofExports(ElfFile file) throws IOException {
    return SymbolTableReader.read(file, DYNAMIC_SYMBOLS, FUNCTIONS, file.section(".gnu.version"))
        .orElse(NONE);
  }

  /** Returns the number of functions. */
  public int size() {
    return addresses.length;
  }

  /** Returns the functions of this name; a library can have several versions. */
  public List<ElfSymbol> named(String name) {
    byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
    return IntStream.range(0, size())
        .filter(i -> isNamed(i, wanted))
        .mapToObj(this::symbol)
        .toList();
  }

  private boolean isNamed(int i, byte[] wanted) {
    long end = (long) names[i] + wanted.length;
    return names[i] >= 0
        && end < text.length
        && (text[(int) end] == 0 || text[(int) end] == '@')
        && Arrays.equals(text, names[i], (int) end, wanted, 0, wanted.length);
  }

  /** Returns the functions whose names match, by address. */
  public Stream<ElfSymbol> matching(Predicate<String> wanted) {
    return legible().filter(i -> wanted.test(name(i))).mapToObj(this::symbol);
  }

  /** Returns all names. */
  public Stream<String> names() {
    return legible().mapToObj(this::name);
  }

  /** Returns the functions until their names exceed the size that linkers produce. */
  private IntStream legible() {
    long most = MOST_SHARING * text.length + MOST_NAME_BYTES;
    long[] bytes = {0};
    return IntStream.range(0, size())
        .takeWhile(i -> (bytes[0] += nameEnd(names[i]) - names[i]) <= most);
  }

  /** Returns whether a function starts in the range ({@code after}, {@code last}]. */
  public boolean hasStart(long after, long last) {
    int end = countTo(last);
    return end > 0 && Long.compareUnsigned(addresses[end - 1], after) > 0;
  }

  /** Returns the number of functions at or before an address. */
  private int countTo(long address) {
    int low = 0;
    int high = addresses.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(addresses[middle], address) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the function that contains an address in the file. */
  public Optional<ElfSymbol> at(long address) {
    int end = countTo(address);
    if (end == 0) {
      return Optional.empty();
    }
    // Of several functions at one address, the first whose size reaches that far.
    long start = addresses[end - 1];
    int first = start == 0 ? 0 : countTo(start - 1);
    return IntStream.range(first, Math.min(end, first + MOST_ALIASES))
        .filter(i -> sizes[i] == 0 || Long.compareUnsigned(address - start, sizes[i]) < 0)
        .mapToObj(this::symbol)
        .findFirst();
  }

  private ElfSymbol symbol(int i) {
    return new ElfSymbol(
        name(i),
        addresses[i],
        sizes[i],
        (traits[i] & INDIRECT) != 0,
        (traits[i] & SUPERSEDED) != 0 || hasOldVersion(i));
  }

  /** Symbol tables append versions to names, the default one after {@code @@}. */
  private boolean hasOldVersion(int i) {
    String name = fullName(i);
    int version = name.indexOf('@');
    return version > 0 && !name.startsWith("@@", version);
  }

  /** Returns a name without its version. */
  private String name(int i) {
    String name = fullName(i);
    int version = name.indexOf('@');
    return version > 0 ? name.substring(0, version) : name;
  }

  private String fullName(int i) {
    int start = names[i];
    int end = nameEnd(start);
    return end == start ? "" : new String(text, start, end - start, StandardCharsets.UTF_8);
  }

  private int nameEnd(int start) {
    if (start < 0 || start >= text.length) {
      return start;
    }
    int limit = Math.min(text.length - start, LONGEST_NAME) + start;
    int end = start;
    while (end < limit && text[end] != 0) {
      end++;
    }
    return end;
  }
}
