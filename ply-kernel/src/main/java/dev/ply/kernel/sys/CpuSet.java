package dev.ply.kernel.sys;

import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.StringJoiner;

/**
 * A set of CPU numbers, ascending, possibly with gaps. The kernel lays out per-CPU values by
 * position in the set of possible CPUs, not by number.
 */
public final class CpuSet {
  private static final Path POSSIBLE = Path.of("/sys/devices/system/cpu/possible");
  private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

  private final int[] numbers;

  private CpuSet(int[] numbers) {
    this.numbers = numbers;
  }

  /**
   * Parses a list of ranges such as {@code 0-3,8}.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static CpuSet parse(String list) {
    BitSet all = new BitSet();
    try {
      for (String range : list.strip().split(",", -1)) {
        int dash = range.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
        all.set(first, last + 1);
      }
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("\"" + list.strip() + "\" is not a list of CPUs", e);
    }
    int[] numbers = new int[all.cardinality()];
    for (int i = 0, next = all.nextSetBit(0); next >= 0; next = all.nextSetBit(next + 1)) {
      numbers[i++] = next;
    }
    return new CpuSet(numbers);
  }

  /** Returns the possible CPUs of this kernel. */
  public static CpuSet possible() {
    return read(POSSIBLE);
  }

  /** Returns the online CPUs. */
  public static CpuSet online() {
    return read(ONLINE);
  }

  /** Returns the number of CPUs. */
  public int count() {
    return numbers.length;
  }

  /** Returns the CPU number at a position, counted from 0. */
  public int number(int position) {
    return numbers[position];
  }

  /** Returns whether it contains a CPU number. */
  public boolean contains(int number) {
    return Arrays.binarySearch(numbers, number) >= 0;
  }

  /** Returns the list of ranges, {@code 0-3,8}. */
  @Override
  public String toString() {
    StringJoiner list = new StringJoiner(",");
    for (int i = 0; i < numbers.length; i++) {
      int first = numbers[i];
      while (i + 1 < numbers.length && numbers[i + 1] == numbers[i] + 1) {
        i++;
      }
      list.add(first == numbers[i] ? String.valueOf(first) : first + "-" + numbers[i]);
    }
    return list.toString();
  }

  private static CpuSet read(Path list) {
    try {
      return parse(Files.readString(list));
    } catch (IOException e) {
      throw new UnreadableTargetException(list + " cannot be read: is sysfs mounted on /sys?");
    }
  }
}
