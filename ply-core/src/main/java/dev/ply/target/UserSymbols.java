package dev.ply.target;

import dev.ply.target.KernelSymbols.Symbol;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The functions of processes: of their programs and libraries, and of code made as they run. For
 * one trace, which closes it. Thread-safe.
 */
public interface UserSymbols extends AutoCloseable {
  /** No functions: what there is without access to processes. */
  UserSymbols NONE =
      new UserSymbols() {
        @Override
        public Optional<List<Frame>> frames(int process, List<Long> addresses) {
          return Optional.of(addresses.stream().map(Frame::new).toList());
        }

        @Override
        public void remember(int process) {}

        @Override
        public void limitWait(Duration most) {}

        @Override
        public Optional<String> shortage() {
          return Optional.empty();
        }

        @Override
        public void close() {}
      };

  /**
   * Names where a process is. Waits a limited time; another call may find the names later.
   *
   * @param addresses the innermost first; the others are where calls will go on
   * @return as many as there are addresses; empty if names are not known in time
   */
  Optional<List<Frame>> frames(int process, List<Long> addresses);

  /** Notes what a process has in memory while it is there, for when it has gone; does not wait. */
  void remember(int process);

  /** Has all calls together wait no longer for names than this from now on. */
  void limitWait(Duration most);

  /**
   * Returns why some functions have no names though they may have been found with more time or
   * memory; empty if there are none.
   */
  Optional<String> shortage();

  @Override
  void close();

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
