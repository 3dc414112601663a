package dev.ply.kernel.jit;

import dev.ply.kernel.elf.AddressOrder;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A perf map: the JIT-compiled functions of a process, a line each with address and size in
 * hexadecimal, and name. The format is perf(1)'s.
 */
public final class PerfMap {
  /** The maximum size, regardless of available memory. */
  private static final long LARGEST = 1L << 28;

  /** The memory per function, besides its line, and that for reading and sorting. */
  private static final long BYTES_EACH = 20;

  private static final long BYTES_EACH_READ = 2 * BYTES_EACH + 2 * Integer.BYTES;

  private static final int LONGEST_NAME = 1 << 12;
  private static final int MOST_DIGITS = 16;

  private final byte[] lines;
  private final Allowance memory;
  private long[] addresses;
  private long[] sizes;
  private int[] names;
  private int count;

  private PerfMap(byte[] lines, int capacity, Allowance memory) {
    this.lines = lines;
    this.memory = memory;
    this.addresses = new long[capacity];
    this.sizes = new long[capacity];
    this.names = new int[capacity];
  }

  /**
   * Reads a perf map, if it exists and its owner may speak for the process.
   *
   * @param owner the UID of the process
   */
  public static Optional<PerfMap> read(Path path, int owner, ReadBudget budget) {
    return read(path, owner, Long.MIN_VALUE, budget);
  }

  /**
   * Reads a perf map that a process has left, if its owner may speak for the process.
   *
   * @param owner the UID of the process
   * @param since nanoseconds since 1970: a file that was changed last before is another process's
   */
  public static Optional<PerfMap> read(Path path, int owner, long since, ReadBudget budget) {
    try (UntrustedFile file = UntrustedFile.open(path, Links.REFUSED, budget)) {
      boolean isOwn = file.facts().owner() == owner || file.facts().isOfRoot();
      return isOwn && file.facts().changed() >= since ? read(file) : Optional.empty();
    } catch (IOException e) {
      // Most processes have none.
      return Optional.empty();
    }
  }

  private static Optional<PerfMap> read(UntrustedFile file) throws IOException {
    try {
      // Exceeds any budget.
      long size = file.facts().size();
      file.allowance().claim(size > LARGEST ? Long.MAX_VALUE : size);
      byte[] lines = file.read(0, (int) size).array();
      int capacity = count(lines);
      file.allowance().claim(capacity * BYTES_EACH_READ);
      PerfMap map = new PerfMap(lines, capacity, file.allowance());
      map.addAll();
      map.sort();
      file.allowance().release(capacity * BYTES_EACH_READ - map.count * BYTES_EACH);
      return Optional.of(map);
    } catch (IOException e) {
      file.allowance().release();
      throw e;
    }
  }

  private static int count(byte[] lines) {
    int count = 1;
    for (byte character : lines) {
      count += character == '\n' ? 1 : 0;
    }
    return count;
  }

  private void addAll() {
    int start = 0;
    while (start < lines.length) {
      int end = start;
      while (end < lines.length && lines[end] != '\n') {
        end++;
      }
      add(start, end);
      start = end + 1;
    }
  }

  /** Malformed lines are skipped. */
  private void add(int start, int end) {
    int size = indexOf(' ', start, end) + 1;
    int name = size == 0 ? 0 : indexOf(' ', size, end) + 1;
    if (name == 0) {
      return;
    }
    try {
      addresses[count] = number(start, size - 1);
      sizes[count] = number(size, name - 1);
      names[count] = name;
      count++;
    } catch (NumberFormatException e) {
      return;
    }
  }

  private int indexOf(char wanted, int start, int end) {
    for (int i = start; i < end; i++) {
      if (lines[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  private long number(int start, int end) {
    boolean hasPrefix = end - start > 2 && lines[start] == '0' && lines[start + 1] == 'x';
    int first = hasPrefix ? start + 2 : start;
    if (end - first > MOST_DIGITS) {
      throw new NumberFormatException("more than 64 bits");
    }
    String digits = new String(lines, first, end - first, StandardCharsets.ISO_8859_1);
    return Long.parseUnsignedLong(digits, 16);
  }

  private void sort() {
    int[] order = AddressOrder.of(addresses, count);
    long[] sortedAddresses = new long[count];
    long[] sortedSizes = new long[count];
    int[] sortedNames = new int[count];
    for (int i = 0; i < count; i++) {
      sortedAddresses[i] = addresses[order[i]];
      sortedSizes[i] = sizes[order[i]];
      sortedNames[i] = names[order[i]];
    }
    addresses = sortedAddresses;
    sizes = sortedSizes;
    names = sortedNames;
  }

  /** Returns its memory; to be called once, when it is dropped. */
  void release() {
    memory.release();
  }

  /** Returns the number of functions. */
  int size() {
    return count;
  }

  /** Returns the function that contains an address; of several at one address, the last listed. */
  public Optional<Symbol> at(long address) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(addresses[middle], address) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int found = low - 1;
    return found >= 0 && Long.compareUnsigned(address - addresses[found], sizes[found]) < 0
        ? Optional.of(new Symbol(name(names[found]), address - addresses[found]))
        : Optional.empty();
  }

  private String name(int start) {
    int limit = Math.min(lines.length - start, LONGEST_NAME) + start;
    int end = indexOf('\n', start, limit);
    return TextBytes.decode(Arrays.copyOfRange(lines, start, end < 0 ? limit : end)).strip();
  }
}
