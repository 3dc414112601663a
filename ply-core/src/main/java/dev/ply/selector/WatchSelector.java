package dev.ply.selector;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory that a watchpoint watches, and the accesses that it fires on.
 *
 * @param place where the memory starts
 * @param length bytes: 1, 2, 4 or 8
 * @param access the accesses that fire
 */
public record WatchSelector(Place place, int length, Access access) {
  private static final Pattern FORM = Pattern.compile("([^:]+):([0-9]{1,9}):([a-z]{1,9})");
  private static final Pattern ADDRESS = Pattern.compile("0[xX]([0-9a-fA-F]{1,16})|([0-9]{1,18})");
  private static final List<Integer> LENGTHS = List.of(1, 2, 4, 8);
  private static final String EXAMPLE =
      "write watchpoint:0x10000000:8:rw or watchpoint:jiffies:8:w";

  /**
   * Checks length and alignment: data is aligned to its length.
   *
   * @throws InvalidSelectorException if no hardware breakpoint can watch it
   */
  public WatchSelector {
    if (!LENGTHS.contains(length)) {
      throw new InvalidSelectorException(
          "a watchpoint watches 1, 2, 4 or 8 bytes, not " + length, EXAMPLE);
    }
    if (access != Access.EXECUTE
        && place instanceof Address address
        && address.value() % length != 0) {
      throw new InvalidSelectorException(
          place.text() + " is not a multiple of " + length + ", as processors require",
          "several watchpoints of fewer bytes cover it");
    }
  }

  /** Where the memory is. */
  public sealed interface Place {
    /** {@return the place as scripts write it: {@code 0x1000}, {@code jiffies}} */
    String text();
  }

  /**
   * An address, in the kernel or in every process that has memory there.
   *
   * @param value unsigned, not 0
   */
  public record Address(long value) implements Place {
    /**
     * Checks the address.
     *
     * @throws InvalidSelectorException if it is 0
     */
    public Address {
      if (value == 0) {
        throw new InvalidSelectorException("nothing is at address 0", EXAMPLE);
      }
    }

    @Override
    public String text() {
      return "0x" + Long.toHexString(value);
    }
  }

  /**
   * A variable or function of the kernel.
   *
   * @param name as in kallsyms
   */
  public record Symbol(String name) implements Place {
    /**
     * Checks the name.
     *
     * @throws InvalidSelectorException if it has not the form of one
     */
    public Symbol {
      if (!KernelSelector.Function.isName(name)) {
        throw new InvalidSelectorException(
            "\"" + name + "\" is neither an address nor a name of the kernel", EXAMPLE);
      }
    }

    @Override
    public String text() {
      return name;
    }
  }

  /** The accesses that fire; numbers are those of include/uapi/linux/hw_breakpoint.h. */
  public enum Access {
    /** Reads, which x86 cannot tell from writes. */
    READ("r", 1),
    /** Writes. */
    WRITE("w", 2),
    /** Reads and writes. */
    READ_WRITE("rw", 3),
    /** Execution of the instruction. */
    EXECUTE("x", 4);

    private final String text;
    private final int number;

    Access(String text, int number) {
      this.text = text;
      this.number = number;
    }

    /** {@return the kernel's number, HW_BREAKPOINT_R and others} */
    public int number() {
      return number;
    }

    private static Access named(String letters) {
      boolean isKnown = letters.chars().allMatch(letter -> "rwx".indexOf(letter) >= 0);
      boolean isDistinct = letters.chars().distinct().count() == letters.length();
      String sorted = letters.equals("wr") ? "rw" : letters;
      for (Access access : values()) {
        if (access.text.equals(sorted)) {
          return access;
        }
      }
      throw new InvalidSelectorException(
          isKnown && isDistinct
              ? "no processor watches \"" + letters + "\" at once"
              : "\"" + letters + "\" are no accesses",
          "there are r, w, rw and x");
    }
  }

  /**
   * Parses {@code 0x1000:8:rw}.
   *
   * @param text an address or kernel symbol, the length in bytes, and {@code r}, {@code w}, {@code
   *     rw} or {@code x}
   * @throws InvalidSelectorException if the syntax is invalid
   */
  public static WatchSelector parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new InvalidSelectorException(
          "\"" + text + "\" is not a place, a number of bytes and accesses", EXAMPLE);
    }
    return new WatchSelector(
        place(form.group(1)), Integer.parseInt(form.group(2)), Access.named(form.group(3)));
  }

  private static Place place(String text) {
    Matcher address = ADDRESS.matcher(text);
    if (address.matches()) {
      return new Address(
          address.group(1) != null
              ? Long.parseUnsignedLong(address.group(1), 16)
              : Long.parseLong(address.group(2)));
    }
    if (text.contains("+arg")) {
      throw new InvalidSelectorException(
          "a watchpoint on what an argument points to is not supported",
          "bpftrace removed it, too; print the address in a uprobe, and watch that");
    }
    return new Symbol(text);
  }

  /** {@return the selector as scripts write it} */
  public String text() {
    return place.text() + ":" + length + ":" + access.text;
  }
}
