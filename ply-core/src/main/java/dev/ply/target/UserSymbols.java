package dev.ply.target;

import dev.ply.target.KernelSymbols.Symbol;
import java.util.List;
import java.util.Optional;

/** The functions of processes: of their programs and libraries, and of code made as they run. */
public interface UserSymbols {
  /** No functions: what there is without access to processes. */
  UserSymbols NONE =
      new UserSymbols() {
        @Override
        public List<Frame> frames(int process, List<Long> addresses) {
          return addresses.stream().map(Frame::new).toList();
        }

        @Override
        public void remember(int process) {}
      };

  /**
   * Names where a process is.
   *
   * @param addresses the innermost first; the others are where calls will go on
   * @return as many as there are addresses
   */
  List<Frame> frames(int process, List<Long> addresses);

  /** Notes what a process has in memory while it is there, for when it has gone. */
  void remember(int process);

  /**
   * Returns what it takes to name functions of all processes, as a clause, where this process may
   * read the memory maps of its own user's only; empty where it may read all.
   */
  default Optional<String> hiddenUnless() {
    return Optional.empty();
  }

  /**
   * A place in the code of a process.
   *
   * @param symbol the function, if it is known
   * @param binary the name of the file that has the code, if one has
   */
  record Frame(long address, Optional<Symbol> symbol, Optional<String> binary) {
    /** A place of which nothing is known. */
    public Frame(long address) {
      this(address, Optional.empty(), Optional.empty());
    }

    /** Returns function and offset; without one the address, and the file if there is one. */
    @Override
    public String toString() {
      return symbol
          .map(Symbol::toString)
          .orElseGet(
              () ->
                  "<%016x>".formatted(address) + binary.map(name -> " (" + name + ")").orElse(""));
    }
  }
}
