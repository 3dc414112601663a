package dev.ply.target;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The functions of a kernel. */
public interface KernelSymbols {
  /** No functions: what there is without access to a kernel's symbols. */
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

  /** Returns the function that contains {@code address}, empty if that is unknown. */
  Optional<Symbol> at(long address);

  /** Returns the names of all functions; empty where they are unknown. */
  Stream<String> names();

  /** Returns where the functions of that name are; empty where addresses are unknown. */
  default List<Extent> named(String name) {
    return List.of();
  }

  /**
   * Returns the addresses of all that has that name, variables too; empty where addresses are
   * unknown.
   */
  default List<Long> addresses(String name) {
    return named(name).stream().map(Extent::address).toList();
  }

  /**
   * Returns what it takes to see addresses, as a clause, where the kernel has symbols but hides
   * their addresses from this process; empty where they are visible.
   */
  default Optional<String> hiddenUnless() {
    return Optional.empty();
  }

  /**
   * Where a function is.
   *
   * @param size bytes up to the next symbol
   */
  record Extent(long address, long size) {}

  /** An address as a function and a distance in bytes from its start. */
  record Symbol(String name, long offset) {
    /** Returns {@code name} or {@code name+offset}, the offset in decimal. */
    @Override
    public String toString() {
      return offset == 0 ? name : name + "+" + offset;
    }
  }
}
