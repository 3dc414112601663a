package dev.ply.target;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.TypeName;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The programs and libraries of a machine, and their probe sites. */
public interface BinaryCatalog {
  /** No programs, for targets without access to files. */
  BinaryCatalog NONE =
      new BinaryCatalog() {
        @Override
        public List<UserLocation> locate(UserSelector selector) {
          throw new ProbeSiteNotFoundException(
              DiagnosticCode.UNKNOWN_BINARY, "programs and libraries are not available here");
        }

        @Override
        public Selection select(UserSelector.Pattern pattern) {
          return new Selection(List.of(), 0);
        }

        @Override
        public List<UsdtProbe> marks(UsdtSelector selector) {
          throw new ProbeSiteNotFoundException(
              DiagnosticCode.UNKNOWN_BINARY, "programs and libraries are not available here");
        }
      };

  /**
   * {@return the programs and libraries that a pattern selects, by names that are none: those whose
   * paths match, or for {@code *} all that the traced process has mapped, or any process; each file
   * once, though it may have several names}
   *
   * @param pattern of paths or names
   * @throws ProbeSiteNotFoundException if not found, or too many
   * @throws UnreadableTargetException if processes or directories cannot be read
   */
  default Matching matching(String pattern) {
    return new Matching(List.of(pattern), Optional.empty());
  }

  /** {@return the program of the traced process; empty if there is no such process} */
  default Optional<String> ownProgram() {
    return Optional.empty();
  }

  /**
   * {@return the locations of a probe: one for a file, one per mapped file for a process}
   *
   * @param selector no pattern
   * @throws ProbeSiteNotFoundException if the file or symbol does not exist
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  List<UserLocation> locate(UserSelector selector);

  /**
   * {@return why files that a process has mapped are left out: they are damaged, or cannot be read;
   * one sentence each}
   *
   * @param binary no pattern
   * @throws ProbeSiteNotFoundException if the file does not exist
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  default List<String> unreadable(String binary) {
    return List.of();
  }

  /**
   * {@return the addresses of all functions of a name in one file, or of an instruction in each of
   * them, by which each can be probed; empty if there are not several, or the name is of many
   * files}
   *
   * @param selector no pattern
   * @throws ProbeSiteNotFoundException if the file does not exist, or none of several functions has
   *     the instruction
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  default List<UserSelector.Address> several(UserSelector selector) {
    return List.of();
  }

  /**
   * {@return why functions of a name are left out by a probe inside of them, of which others have
   * the instruction; one sentence each}
   *
   * @param selector no pattern
   * @throws ProbeSiteNotFoundException if the file does not exist
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  default List<String> withoutInstruction(UserSelector selector) {
    return List.of();
  }

  /**
   * {@return how many USDT probes are meant and outside code, so that they cannot be probed}
   *
   * @param selector with its program or library
   * @throws ProbeSiteNotFoundException if the file does not exist
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  default int outsideCode(UsdtSelector selector) {
    return 0;
  }

  /**
   * {@return whether the name of a program or library is a pattern of several, and not that of a
   * file}
   *
   * @param binary as in a {@link UserSelector}
   */
  default boolean isPattern(String binary) {
    return UserSelector.isPattern(binary);
  }

  /**
   * {@return whether an instruction is known to start at each location of a probe; false where no
   * symbol covers the code}
   *
   * @param selector no pattern
   * @throws ProbeSiteNotFoundException if an instruction or data covers a location, or the file or
   *     symbol does not exist
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  default boolean isInstruction(UserSelector selector) {
    return true;
  }

  /**
   * {@return the address of code in an ELF file, independent of where it is loaded; empty if there
   * is no code at that offset}
   *
   * @param binary as in a {@link UserSelector}
   * @param offset bytes from the file's start
   * @throws ProbeSiteNotFoundException if the file does not exist
   * @throws UnreadableTargetException if the file cannot be read
   */
  default OptionalLong address(String binary, long offset) {
    return OptionalLong.of(offset);
  }

  /**
   * {@return a function or variable of a program or library}
   *
   * @param binary as in a {@link UserSelector}
   * @param name as in the ELF symbol table
   * @throws ProbeSiteNotFoundException if there is no such file, it has none or several of this
   *     name, or the process has many files
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  default BinarySymbol symbol(String binary, String name) {
    throw new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_BINARY, "programs and libraries are not available here");
  }

  /**
   * {@return the parameters of a function, from the debug information of its file; empty if that
   * does not describe it, or the selector is not a function's entry}
   *
   * @param selector no pattern
   * @throws ProbeSiteNotFoundException if the file or function does not exist
   * @throws UnreadableTargetException if the file or its debug information cannot be read
   */
  default Optional<FunctionPrototype> prototype(UserSelector selector) {
    return Optional.empty();
  }

  /**
   * {@return the type of what a function returns if that is a number or an address, from the debug
   * information of its file; empty if that does not say}
   *
   * @param selector no pattern
   * @throws ProbeSiteNotFoundException if the file or function does not exist
   * @throws UnreadableTargetException if the file or its debug information cannot be read
   */
  default Optional<TypeName> result(UserSelector selector) {
    return Optional.empty();
  }

  /**
   * {@return how functions are declared in their programming language, from the debug information
   * of their files: the parameters, {@code struct node * list}, and as the last the type of the
   * result; those that are not described are missing}
   *
   * @param places no patterns
   */
  default Map<UserSelector, List<String>> declarations(List<UserSelector> places) {
    return Map.of();
  }

  /**
   * Reads the types of the results of many functions at once, which is faster. Those that cannot be
   * read are unknown.
   *
   * @param places no patterns
   */
  default void readResults(List<UserSelector> places) {}

  /**
   * {@return whether the function may move its stack while it runs, as Go's do: a probe on its
   * return, which the kernel writes to the stack, would crash the process}
   *
   * @param selector no pattern
   * @throws ProbeSiteNotFoundException if the file or function does not exist
   * @throws UnreadableTargetException if the file cannot be read
   */
  default boolean movesStack(UserSelector selector) {
    return false;
  }

  /**
   * A function or variable of a program or library.
   *
   * @param address as in the ELF file
   * @param size bytes, 0 if unknown
   * @param isMoved whether the file is loaded at any address: a library, or a position-independent
   *     program
   */
  record BinarySymbol(long address, long size, boolean isMoved) {}

  /**
   * {@return the cheapest instruction at which to probe a function's calls: its first, or a later
   * one that every call and no jump reaches, with the same arguments and stack}
   *
   * @param entry the function's first instruction
   * @throws UnreadableTargetException if the file cannot be read
   */
  default UserLocation cheapest(UserLocation entry) {
    return entry;
  }

  /**
   * {@return the functions that match a pattern}
   *
   * @param pattern with its program or library
   * @throws ProbeSiteNotFoundException if the file does not exist
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  Selection select(UserSelector.Pattern pattern);

  /**
   * {@return the USDT probes that match}
   *
   * @param selector with its program or library
   * @throws ProbeSiteNotFoundException if the file does not exist, or has no such USDT probe
   * @throws UnreadableTargetException if the file or process cannot be read
   */
  List<UsdtProbe> marks(UsdtSelector selector);

  /**
   * The programs and libraries that match a pattern.
   *
   * @param names of files
   * @param unsearched what was not looked at, and why: others may match, too
   */
  record Matching(List<String> names, Optional<String> unsearched) {
    /** Copies the names. */
    public Matching {
      names = List.copyOf(names);
    }
  }

  /**
   * The functions that match a pattern.
   *
   * @param functions in alphabetical order
   * @param indirect how many matches are indirect functions (IFUNC), which cannot be probed
   * @param unusable how many matches are outside code, or have names that are not UTF-8
   */
  record Selection(List<UserSelector.Function> functions, int indirect, int unusable) {
    /** Copies the functions. */
    public Selection {
      functions = List.copyOf(functions);
    }

    /**
     * Creates a selection whose matches are all usable.
     *
     * @param functions in alphabetical order
     * @param indirect how many matches are indirect functions (IFUNC), which cannot be probed
     */
    public Selection(List<UserSelector.Function> functions, int indirect) {
      this(functions, indirect, 0);
    }
  }
}
