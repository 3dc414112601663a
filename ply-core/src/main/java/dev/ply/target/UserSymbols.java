package dev.ply.target;

import dev.ply.target.KernelSymbols.Symbol;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The symbols of processes: of their programs and libraries, and of JIT-compiled code. For one
 * trace, which closes it. Thread-safe.
 */
public interface UserSymbols extends AutoCloseable {
  /** No symbols, for targets without access to processes. */
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
   * Symbolises a stack trace. Waits a limited time; a later call may find more.
   *
   * @param process its PID
   * @param addresses innermost first; all others are return addresses
   * @return the frames of all addresses, of an address those of the functions inlined there before
   *     the one that has it; empty if symbols are not available in time
   */
  Optional<List<Frame>> frames(int process, List<Long> addresses);

  /**
   * Starts recording the mappings of processes, for the symbols of those that exit soon. Called
   * before probes are attached.
   */
  default void recordMappings() {}

  /**
   * Asks no Java runtime for the names of its compiled methods, so that none writes a file: only
   * perf maps that exist are read. Called before probes are attached.
   */
  default void leaveRuntimesAlone() {}

  /**
   * Reads the memory maps of a process while it exists; does not wait.
   *
   * @param process its PID
   */
  void remember(int process);

  /**
   * Opens what remembered processes have mapped since, while it exists; does not wait. Called when
   * the code of a process is not where it was.
   */
  default void update() {}

  /**
   * {@return the PIDs of processes, of those that are remembered, some of whose symbols can be read
   * only while they run: those of what a runtime compiles or interprets}
   */
  default Set<Integer> runtimes() {
    return Set.of();
  }

  /**
   * Clears the facts about processes that had exited before the last call, except for these; does
   * not wait. Called once in a while, with what is left to be symbolised.
   *
   * @param kept the PIDs of processes whose stack traces may be read again
   */
  default void forgetAllBut(Set<Integer> kept) {}

  /**
   * Limits the total time that all further calls wait.
   *
   * @param most zero to wait no more
   */
  void limitWait(Duration most);

  /**
   * {@return why some symbols are missing although more time or memory might have found them; empty
   * if none are}
   */
  Optional<String> shortage();

  @Override
  void close();

  /**
   * {@return the privilege needed to symbolise all processes, as a clause, where this process can
   * read the memory maps of its own user's only; empty where it can read all}
   */
  default Optional<String> hiddenUnless() {
    return Optional.empty();
  }

  /**
   * The position of a frame's instruction in its file. Thread-safe; of use after the trace, too.
   */
  interface Location {
    /** The position of code that has no file, or whose file has no debug information. */
    Location UNKNOWN = Optional::empty;

    /**
     * Looks up the source line. The first call for a file reads its debug information, on the
     * calling thread and within a budget of time and memory.
     *
     * @return the line; empty if the file has no line table, or reading it exceeds the budget
     */
    Optional<SourceLine> line();

    /**
     * {@return the position in the file; empty for code without a file, or one without build ID}
     */
    default Optional<FilePosition> position() {
      return Optional.empty();
    }
  }

  /**
   * A position in a file, wherever the file is.
   *
   * @param buildId of the file, in hexadecimal
   * @param offset in bytes from the file's start
   */
  record FilePosition(String buildId, long offset) {
    /** Returns the build ID and the offset, in hexadecimal. */
    @Override
    public String toString() {
      return buildId + " 0x" + Long.toHexString(offset);
    }
  }

  /**
   * A frame of a process.
   *
   * @param address in the process's memory
   * @param symbol the function, if known
   * @param binary the name of the ELF file, if any
   * @param location of the instruction in that file
   * @param path of that file in the process's root directory, if any
   * @param java what a Java runtime tells of its code
   */
  record Frame(
      long address,
      Optional<Symbol> symbol,
      Optional<String> binary,
      Location location,
      Optional<String> path,
      Optional<JavaCode> java) {
    /**
     * A frame of a file.
     *
     * @param address in the process's memory
     * @param symbol the function, if known
     * @param binary the name of the ELF file, if any
     * @param location of the instruction in that file
     * @param path of that file in the process's root directory, if any
     */
    public Frame(
        long address,
        Optional<Symbol> symbol,
        Optional<String> binary,
        Location location,
        Optional<String> path) {
      this(address, symbol, binary, location, path, Optional.empty());
    }

    /**
     * A frame without the path of its file.
     *
     * @param address in the process's memory
     * @param symbol the function, if known
     * @param binary the name of the ELF file, if any
     * @param location of the instruction in that file
     */
    public Frame(
        long address, Optional<Symbol> symbol, Optional<String> binary, Location location) {
      this(address, symbol, binary, location, Optional.empty());
    }

    /**
     * A frame without source line.
     *
     * @param address in the process's memory
     * @param symbol the function, if known
     * @param binary the name of the ELF file, if any
     */
    public Frame(long address, Optional<Symbol> symbol, Optional<String> binary) {
      this(address, symbol, binary, Location.UNKNOWN);
    }

    /**
     * A frame without symbol or file.
     *
     * @param address in the process's memory
     */
    public Frame(long address) {
      this(address, Optional.empty(), Optional.empty());
    }

    /**
     * {@return this frame with another function}
     *
     * @param other the function
     */
    public Frame withSymbol(Symbol other) {
      return new Frame(address, Optional.of(other), binary, location, path, java);
    }

    /**
     * Returns symbol and offset, of a Java method the line instead; otherwise the address, with the
     * file if known.
     */
    @Override
    public String toString() {
      if (symbol.isPresent() && java.isPresent()) {
        return text(symbol.get(), java.get());
      }
      return symbol
          .map(Symbol::toString)
          .orElseGet(
              () ->
                  "<%016x>".formatted(address) + binary.map(name -> " (" + name + ")").orElse(""));
    }

    private String text(Symbol function, JavaCode code) {
      String place =
          location
              .line()
              .map(line -> function.shown() + ":" + line.line())
              .orElseGet(function::toString);
      return code.tier() == JavaCode.Tier.INLINED ? place + " [inlined]" : place;
    }
  }
}
