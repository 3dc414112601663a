package dev.ply.target;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The symbols of a kernel. */
public interface KernelSymbols {
  /** No symbols, for targets without access to them. */
  KernelSymbols NONE =
      new KernelSymbols() {
        @Override
        public Optional<Symbol> at(long address) {
          return Optional.empty();
        }

        @Override
        public Stream<String> names() {
          return Stream.empty();
        }
      };

  /**
   * {@return the function that contains {@code address}, if known}
   *
   * @param address of an instruction
   */
  Optional<Symbol> at(long address);

  /**
   * {@return the symbol that the kernel names for an address, with its size, if it names one: the
   * first of several at one address, of variables only where its table has them}
   *
   * @param address of an instruction or a variable
   */
  default Optional<Range> rangeAt(long address) {
    return at(address).map(symbol -> new Range(symbol.name(), "", symbol.offset(), 0));
  }

  /** {@return the names of all functions; empty where unknown} */
  Stream<String> names();

  /**
   * {@return those of the names that no function has; none where the functions are unknown}
   *
   * @param names without module
   */
  default Set<String> missing(Set<String> names) {
    Set<String> all = names().collect(Collectors.toSet());
    return all.isEmpty()
        ? Set.of()
        : names.stream()
            .filter(name -> !all.contains(name))
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * {@return the address ranges of the functions of this name; empty where addresses are hidden}
   *
   * @param name without module
   */
  default List<Extent> named(String name) {
    return List.of();
  }

  /**
   * {@return the addresses of all symbols of this name, including variables; empty where addresses
   * are hidden}
   *
   * @param name without module
   */
  default List<Long> addresses(String name) {
    return named(name).stream().map(Extent::address).toList();
  }

  /**
   * {@return the privilege that makes addresses visible, as a clause, where the kernel hides them
   * from this process; empty where they are visible}
   */
  default Optional<String> hiddenUnless() {
    return Optional.empty();
  }

  /**
   * The address range of a function.
   *
   * @param address of the first instruction
   * @param size bytes up to the next symbol
   */
  record Extent(long address, long size) {}

  /**
   * An address within the range of a function or variable.
   *
   * @param name as in kallsyms
   * @param module the module that has it, empty for vmlinux
   * @param offset in bytes
   * @param size bytes up to the next symbol
   */
  record Range(String name, String module, long offset, long size) {
    /** Returns {@code name+0xoffset/0xsize [module]}, as the kernel writes it. */
    @Override
    public String toString() {
      String range = name + "+0x" + Long.toHexString(offset) + "/0x" + Long.toHexString(size);
      return module.isEmpty() ? range : range + " [" + module + "]";
    }
  }

  /**
   * An address as a function and an offset in bytes.
   *
   * @param name as in kallsyms
   * @param offset bytes from its first instruction
   * @param shown the name for people, which for C++ and Rust is another than the symbol; cut after
   *     {@value #LONGEST} characters
   */
  record Symbol(String name, long offset, String shown) {
    /** The number of characters that are shown; {@code ..} stands for others. */
    public static final int LONGEST = 1024;

    /** A function by its symbol and its name. */
    public Symbol {
      if (shown.length() > LONGEST) {
        shown = shown.substring(0, LONGEST) + "..";
      }
    }

    /**
     * A function that is shown by its symbol.
     *
     * @param name as in kallsyms
     * @param offset bytes from its first instruction
     */
    public Symbol(String name, long offset) {
      this(name, offset, name);
    }

    /**
     * {@return this function with another name for people}
     *
     * @param other as its programmers write it
     */
    public Symbol shownAs(String other) {
      return new Symbol(name, offset, other);
    }

    /** Returns {@code name} or {@code name+offset}, the offset in decimal. */
    @Override
    public String toString() {
      return offset == 0 ? shown : shown + "+" + offset;
    }
  }
}
