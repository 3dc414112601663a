package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The functions that a file names, in a few primitive arrays: a large one has hundreds of
 * thousands. Immutable.
 */
public final class ElfSymbols {
  /** No functions. */
  public static final ElfSymbols NONE =
      new ElfSymbols(new byte[0], new long[0], new long[0], new int[0], new byte[0]);

  private static final int SYMBOLS = 2;
  private static final int DYNAMIC_SYMBOLS = 11;
  private static final int FUNCTION = 2;
  private static final int INDIRECT_FUNCTION = 10;
  private static final int UNDEFINED = 0;
  private static final int HIDDEN_VERSION = 0x8000;
  private static final int INDIRECT = 1;
  private static final int SUPERSEDED = 2;

  private final byte[] text;
  private final long[] addresses;
  private final long[] sizes;
  private final int[] names;
  private final byte[] traits;

  private ElfSymbols(byte[] text, long[] addresses, long[] sizes, int[] names, byte[] traits) {
    this.text = text;
    this.addresses = addresses;
    this.sizes = sizes;
    this.names = names;
    this.traits = traits;
  }

  /** Reads the symbol table of a file; empty if it was stripped of it. */
  public static Optional<ElfSymbols> ofTable(ElfFile file) throws IOException {
    return ofSection(file, SYMBOLS);
  }

  /** Reads what a file offers to others and takes from them; none for a static program. */
  public static ElfSymbols ofExports(ElfFile file) throws IOException {
    return ofSection(file, DYNAMIC_SYMBOLS).orElse(NONE);
  }

  private static Optional<ElfSymbols> ofSection(ElfFile file, int type) throws IOException {
    Optional<ElfSection> table =
        file.sections().stream().filter(section -> section.type() == type).findFirst();
    if (table.isEmpty()) {
      return Optional.empty();
    }
    int link = table.get().link();
    if (link < 0 || link >= file.sections().size()) {
      throw new BadElfException(file.path() + " has a symbol table without names");
    }
    ByteBuffer strings = file.contents(file.sections().get(link));
    Optional<ElfSection> versions =
        type == DYNAMIC_SYMBOLS ? file.section(".gnu.version") : Optional.empty();
    return Optional.of(
        read(
            file,
            file.contents(table.get()),
            versions.isPresent() ? file.contents(versions.get()) : ByteBuffer.allocate(0),
            bytesOf(strings)));
  }

  private static byte[] bytesOf(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes);
    return bytes;
  }

  private static ElfSymbols read(ElfFile file, ByteBuffer table, ByteBuffer versions, byte[] text) {
    int entry = file.is64() ? 24 : 16;
    int[] starts =
        IntStream.range(0, table.limit() / entry)
            .map(i -> i * entry)
            .filter(start -> isFunction(file, table, start))
            .toArray();
    return sorted(
        text,
        Arrays.stream(starts).mapToLong(at -> file.word(table, at + (file.is64() ? 8 : 4))),
        Arrays.stream(starts).mapToLong(at -> file.word(table, at + (file.is64() ? 16 : 8))),
        Arrays.stream(starts).map(table::getInt).toArray(),
        starts,
        at ->
            (type(file, table, at) == INDIRECT_FUNCTION ? INDIRECT : 0)
                | (isHidden(versions, at / entry) ? SUPERSEDED : 0));
  }

  private static ElfSymbols sorted(
      byte[] text,
      LongStream addresses,
      LongStream sizes,
      int[] names,
      int[] starts,
      IntUnaryOperator traitsOf) {
    long[] values = addresses.toArray();
    long[] lengths = sizes.toArray();
    int[] order =
        IntStream.range(0, starts.length)
            .boxed()
            .sorted(Comparator.comparing(i -> values[i], Long::compareUnsigned))
            .mapToInt(Integer::intValue)
            .toArray();
    byte[] traits = new byte[order.length];
    for (int i = 0; i < order.length; i++) {
      traits[i] = (byte) traitsOf.applyAsInt(starts[order[i]]);
    }
    return new ElfSymbols(
        text,
        Arrays.stream(order).mapToLong(i -> values[i]).toArray(),
        Arrays.stream(order).mapToLong(i -> lengths[i]).toArray(),
        Arrays.stream(order).map(i -> names[i]).toArray(),
        traits);
  }

  private static boolean isFunction(ElfFile file, ByteBuffer table, int start) {
    int type = type(file, table, start);
    int section = table.getShort(start + (file.is64() ? 6 : 14));
    return (type == FUNCTION || type == INDIRECT_FUNCTION)
        && section != UNDEFINED
        && table.getInt(start) != 0;
  }

  private static boolean isHidden(ByteBuffer versions, int number) {
    return number * 2 + 2 <= versions.limit()
        && (versions.getShort(number * 2) & HIDDEN_VERSION) != 0;
  }

  private static int type(ElfFile file, ByteBuffer table, int start) {
    return table.get(start + (file.is64() ? 4 : 12)) & 0xf;
  }

  /** Returns how many there are. */
  public int size() {
    return addresses.length;
  }

  /** Returns the functions of that name; several of a library's versions may have it. */
  public List<ElfSymbol> named(String name) {
    byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
    return IntStream.range(0, size())
        .filter(i -> isNamed(i, wanted))
        .mapToObj(this::symbol)
        .toList();
  }

  private boolean isNamed(int i, byte[] wanted) {
    int end = names[i] + wanted.length;
    return names[i] >= 0
        && end < text.length
        && (text[end] == 0 || text[end] == '@')
        && Arrays.equals(text, names[i], end, wanted, 0, wanted.length);
  }

  /** Returns the functions whose names are wanted, by address. */
  public Stream<ElfSymbol> matching(Predicate<String> wanted) {
    return IntStream.range(0, size()).filter(i -> wanted.test(name(i))).mapToObj(this::symbol);
  }

  /** Returns all names. */
  public Stream<String> names() {
    return IntStream.range(0, size()).mapToObj(this::name);
  }

  /** Tells whether a function begins behind one address and not behind another. */
  public boolean hasStart(long after, long last) {
    int end = countTo(last);
    return end > 0 && Long.compareUnsigned(addresses[end - 1], after) > 0;
  }

  /** Returns how many functions begin at an address or before it. */
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

  /** Returns the function that has an address of the file's own. */
  public Optional<ElfSymbol> at(long address) {
    int low = countTo(address);
    // Of several that begin at one place, the first that reaches so far.
    long start = low == 0 ? 0 : addresses[low - 1];
    Optional<ElfSymbol> found = Optional.empty();
    for (int i = low - 1; i >= 0 && addresses[i] == start; i--) {
      if (sizes[i] == 0 || Long.compareUnsigned(address - start, sizes[i]) < 0) {
        found = Optional.of(symbol(i));
      }
    }
    return found;
  }

  private ElfSymbol symbol(int i) {
    return new ElfSymbol(
        name(i),
        addresses[i],
        sizes[i],
        (traits[i] & INDIRECT) != 0,
        (traits[i] & SUPERSEDED) != 0 || hasOldVersion(i));
  }

  /** Symbol tables append versions to names, the current one behind two signs. */
  private boolean hasOldVersion(int i) {
    String name = ElfFile.text(ByteBuffer.wrap(text), names[i]);
    int version = name.indexOf('@');
    return version > 0 && !name.startsWith("@@", version);
  }

  /** Returns a name without the version that symbol tables append to some. */
  private String name(int i) {
    String name = ElfFile.text(ByteBuffer.wrap(text), names[i]);
    int version = name.indexOf('@');
    return version > 0 ? name.substring(0, version) : name;
  }
}
